// Certificates that kubelets and users ask for, tokens that new nodes begin with, the networks of Services, and what is said about policies.
import type { Registrations } from '#app/loops/registration.ts';

export const clusterControllers: Registrations = {
  'bootstrap-signer-controller': {
    account: 'bootstrap-signer',
    isOffByDefault: true,
    load: async () => (await import('#app/loops/registered/bootstrap-tokens.ts')).buildBootstrapSigner,
  },
  'certificatesigningrequest-approving-controller': {
    account: 'certificate-controller',
    load: async () => (await import('#app/loops/registered/certificates.ts')).buildApprovingController,
  },
  'certificatesigningrequest-cleaner-controller': {
    account: 'certificate-controller',
    load: async () => (await import('#app/loops/registered/certificates.ts')).buildSigningRequestCleaner,
  },
  'certificatesigningrequest-signing-controller': {
    account: 'certificate-controller',
    load: async () => (await import('#app/loops/registered/certificates.ts')).buildSigningController,
  },
  'service-cidr-controller': {
    account: 'service-cidrs-controller',
    load: async () => (await import('#app/loops/registered/service-cidrs.ts')).buildServiceCidrController,
  },
  'token-cleaner-controller': {
    account: 'token-cleaner',
    isOffByDefault: true,
    load: async () => (await import('#app/loops/registered/bootstrap-tokens.ts')).buildTokenCleaner,
  },
  'validatingadmissionpolicy-status-controller': {
    account: 'validatingadmissionpolicy-status-controller',
    load: async () => (await import('#app/loops/registered/policy-status.ts')).buildPolicyStatus,
  },
};
