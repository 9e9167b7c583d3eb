import { condition, type GroupTexts, specAndStatus } from '#kinds/descriptions/group-texts.ts';

const rule = {
  verbs: 'What may be done; `*` is everything.',
  apiGroups: 'API groups of the resources; empty text is the core group, `*` all groups.',
  resources: 'Resources, as `pods` or `pods/log`; `*` is all.',
} as const;

export const rbacTexts: GroupTexts = {
  package: 'io.k8s.api.rbac.v1',
  structs: {
    Role: { '': 'Rights within one namespace.', rules: 'The rights.' },
    ClusterRole: {
      '': 'Rights in the whole cluster, or for use by role bindings in single namespaces.',
      rules: 'The rights.',
      aggregationRule: 'Collects the rules of other cluster roles; rules given here are then overwritten.',
    },
    AggregationRule: { '': 'Selects cluster roles to collect.', clusterRoleSelectors: 'Roles that match one of these are collected.' },
    PolicyRule: {
      '': 'Some rights.',
      ...rule,
      resourceNames: 'Only objects with these names. Empty: all.',
      nonResourceURLs: 'Paths that are no resources, as `/healthz`; `*` at the end stands for anything. Cluster roles only.',
    },
    RoleBinding: {
      '': 'Gives the rights of a role to users, groups and service accounts, in its namespace.',
      subjects: 'Who gets the rights.',
      roleRef: 'The role, or cluster role. It cannot be changed.',
    },
    ClusterRoleBinding: {
      '': 'Gives the rights of a cluster role to users, groups and service accounts, everywhere.',
      subjects: 'Who gets the rights.',
      roleRef: 'The cluster role. It cannot be changed.',
    },
    RoleRef: { '': 'Points to a role.', apiGroup: 'rbac.authorization.k8s.io.', kind: 'Role or ClusterRole.', name: 'Name of the role.' },
    Subject: {
      '': 'A user, group or service account.',
      kind: 'User, Group or ServiceAccount.',
      apiGroup: 'rbac.authorization.k8s.io for users and groups; empty for service accounts.',
      name: 'Its name.',
      namespace: 'Namespace of a service account.',
    },
  },
};

const askedAbout = {
  resourceAttributes: 'Asks about a resource.',
  nonResourceAttributes: 'Asks about a path that is no resource.',
} as const;

const user = {
  groups: 'Groups of the user.',
  extra: 'What else the authenticator knows.',
  uid: 'Identifier of the user.',
} as const;

export const authorizationTexts: GroupTexts = {
  package: 'io.k8s.api.authorization.v1',
  structs: {
    SubjectAccessReview: { '': 'Asks whether somebody may do something.', spec: 'The question.', status: 'The answer.' },
    LocalSubjectAccessReview: { '': 'Asks whether somebody may do something in one namespace.', spec: 'The question.', status: 'The answer.' },
    SelfSubjectAccessReview: { '': 'Asks whether the asking user may do something.', spec: 'The question.', status: 'The answer.' },
    SelfSubjectRulesReview: { '': 'Asks what the asking user may do in a namespace.', spec: 'The question.', status: 'The answer.' },
    SubjectAccessReviewSpec: { '': 'Who wants to do what.', ...askedAbout, user: 'Name of the user.', ...user },
    SelfSubjectAccessReviewSpec: { '': 'What the user wants to do.', ...askedAbout },
    SelfSubjectRulesReviewSpec: { '': 'Where.', namespace: 'The namespace.' },
    ResourceAttributes: {
      '': 'A request for a resource.',
      namespace: 'Namespace; empty for cluster resources or, in lists, all namespaces.',
      verb: 'get, list, watch, create, update, patch, delete … or `*`.',
      group: 'API group; `*` is all.',
      version: 'API version; `*` is all.',
      resource: 'Plural name; `*` is all.',
      subresource: 'Subresource.',
      name: 'Name of the object; empty is all.',
      fieldSelector: 'Field selector of the request.',
      labelSelector: 'Label selector of the request.',
    },
    NonResourceAttributes: { '': 'A request for a path.', path: 'The path.', verb: 'HTTP method in lower case.' },
    FieldSelectorAttributes: { '': 'A field selector.', rawSelector: 'As text.', requirements: 'Taken apart.' },
    LabelSelectorAttributes: { '': 'A label selector.', rawSelector: 'As text.', requirements: 'Taken apart.' },
    SubjectAccessReviewStatus: {
      '': 'The answer.',
      allowed: 'It is allowed.',
      denied: 'It is forbidden whatever others say; false with allowed false means that nobody allowed it.',
      reason: 'Why.',
      evaluationError: 'What went wrong on the way; the answer may hold all the same.',
    },
    SubjectRulesReviewStatus: {
      '': 'What is allowed.',
      resourceRules: 'For resources.',
      nonResourceRules: 'For paths.',
      incomplete: 'There may be more.',
      evaluationError: 'What went wrong on the way.',
    },
    ResourceRule: { '': 'Something that is allowed.', ...rule, resourceNames: 'Only objects with these names. Empty: all.' },
    NonResourceRule: { '': 'Something that is allowed.', verbs: 'HTTP methods in lower case.', nonResourceURLs: 'Paths.' },
  },
};

export const authenticationTexts: GroupTexts = {
  package: 'io.k8s.api.authentication.v1',
  structs: {
    TokenReview: { '': 'Asks whose token this is.', spec: 'The question.', status: 'The answer.' },
    TokenReviewSpec: { '': 'The token.', token: 'The token.', audiences: 'Whom it must be meant for. Default: the API server.' },
    TokenReviewStatus: {
      '': 'The answer.',
      authenticated: 'The token is good.',
      user: 'Whose token it is.',
      audiences: 'Audiences of the question that the token is meant for.',
      error: 'Why the token could not be checked.',
    },
    UserInfo: { '': 'A user.', username: 'Name of the user.', ...user },
    TokenRequest: { '': 'Asks for a token of a service account.', spec: 'Which token.', status: 'The token.' },
    TokenRequestSpec: {
      '': 'Which token is wanted.',
      audiences: 'Whom the token is to be meant for.',
      expirationSeconds: 'How long it is to be valid; the server may decide otherwise. Default: one hour.',
      boundObjectRef: 'Object with which the token loses its validity.',
    },
    TokenRequestStatus: { '': 'The token.', token: 'The token.', expirationTimestamp: 'Until when it is valid.' },
    BoundObjectReference: {
      '': 'Object that a token depends on.',
      kind: 'Pod, Secret or Node.',
      apiVersion: 'Version of the object.',
      name: 'Name of the object.',
      uid: 'UID of the object.',
    },
    SelfSubjectReview: { '': 'Asks who the asking user is.', status: 'The answer.' },
    SelfSubjectReviewStatus: { '': 'The answer.', userInfo: 'The user.' },
  },
};

export const certificatesTexts: GroupTexts = {
  package: 'io.k8s.api.certificates.v1',
  also: ['io.k8s.api.certificates.v1beta1', 'io.k8s.api.certificates.v1alpha1'],
  structs: {
    CertificateSigningRequest: { '': 'Asks a signer for a certificate.', ...specAndStatus },
    CertificateSigningRequestSpec: {
      '': 'What is asked for, and by whom. It cannot be changed.',
      request: 'PKCS#10 request in PEM form.',
      signerName: 'Who is to sign, such as `kubernetes.io/kube-apiserver-client`.',
      expirationSeconds: 'How long the certificate is wanted for; the signer may decide otherwise.',
      usages: 'What the key is for, such as `client auth`.',
      username: 'User that asks; set by the server.',
      ...user,
    },
    CertificateSigningRequestStatus: {
      '': 'What became of a request.',
      conditions: 'Approved, Denied or Failed.',
      certificate: 'The certificate in PEM form, after it was signed.',
    },
    CertificateSigningRequestCondition: condition('A decision about a request.', 'lastUpdateTime'),
  },
};

const bundles: GroupTexts['structs'] = {
  ClusterTrustBundle: { '': 'Certificates of authorities, for all to read.', spec: 'The certificates.' },
  ClusterTrustBundleSpec: {
    '': 'The certificates.',
    signerName: 'Signer that they belong to.',
    trustBundle: 'The certificates in PEM form.',
  },
};

export const certificatesBetaTexts: GroupTexts = {
  package: 'io.k8s.api.certificates.v1beta1',
  structs: {
    ...bundles,
    PodCertificateRequest: { '': 'Asks a signer for a certificate for a pod. Kubelets make them.', ...specAndStatus },
    PodCertificateRequestSpec: {
      '': 'What is asked for, and for which pod.',
      signerName: 'Who is to sign.',
      podName: 'Name of the pod.',
      podUID: 'UID of the pod.',
      serviceAccountName: 'Service account of the pod.',
      serviceAccountUID: 'UID of the service account.',
      nodeName: 'Node of the pod.',
      nodeUID: 'UID of the node.',
      maxExpirationSeconds: 'The longest time the certificate may be valid.',
      pkixPublicKey: 'The public key.',
      proofOfPossession: 'Signature that shows possession of the private key.',
      stubPKCS10Request: 'A PKCS#10 request with key and signature only.',
      unverifiedUserAnnotations: 'Values for the signer that nobody has checked.',
    },
    PodCertificateRequestStatus: {
      '': 'What became of a request.',
      conditions: 'Issued, Denied or Failed.',
      certificateChain: 'The certificates in PEM form.',
      notBefore: 'From when it is valid.',
      beginRefreshAt: 'From when it should be renewed.',
      notAfter: 'Until when it is valid.',
    },
  },
};

export const certificatesAlphaTexts: GroupTexts = { package: 'io.k8s.api.certificates.v1alpha1', structs: bundles };
