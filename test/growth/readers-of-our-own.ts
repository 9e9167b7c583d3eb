// Exported functions that read what no sender of a request chooses the size of, each with the reason.

const flags = 'the command line of the operator';
const files = 'a file of the operator';
const journal = 'a file of fixed size that this server wrote, once at start';
const etcd = 'answers of the etcd that the operator chose, of the size of what is stored there';
const kms = 'answers of the KMS plugin that the operator has named';
const stored = 'fixed-size parts of what this server wrote';

export const readersOfOurOwn: Readonly<Record<string, string>> = {
  'src/admission/manifests/manifest-objects.ts#readManifests': files,
  'src/app/admission/admission-config.ts#readAdmissionConfig': files,
  'src/app/flags/flags.ts#parseFlags': flags,
  'src/app/flags/options.ts#parseOptions': flags,
  'src/app/first-start/prepared-objects.ts#readPrepared': 'what the build let a server make',
  'src/app/access/remote-endpoint.ts#parseYamlText': files,
  'src/app/access/remote-endpoint.ts#readEndpoint': files,
  'src/app/access/remote-endpoint.ts#readYamlFile': files,
  'src/app/access/token-issuers.ts#parseAuthenticationFile': files,
  'src/base/x509.ts#parsePrivateKey': files,
  'src/api/unreadable-error.ts#readEncryptedData': 'the words of an error',
  'src/app/encryption/read-configuration.ts#parseEncryptionConfiguration': files,
  'src/client/kubeconfig.ts#parseKubeconfig': files,
  'src/client/kubeconfig.ts#readKubeconfig': files,
  'src/client/transport.ts#readAll': 'answers that a client of ours asked for',
  'src/controllers/garbage-collector/live-objects.ts#readLive': 'one object, asked for by name',
  'src/encryption/configuration.ts#parseResource': files,
  'src/encryption/kms/kms-messages.ts#readDecrypt': kms,
  'src/encryption/kms/kms-messages.ts#readEncrypt': kms,
  'src/encryption/kms/kms-messages.ts#readEncryptedObject': stored,
  'src/encryption/kms/kms-messages.ts#readStatus': kms,
  'src/resource/runtime-config.ts#parseRuntimeConfig': flags,
  'src/schema/cbor/cbor-reader.ts#readHalf': 'sixteen bits',
  'src/schema/cbor/item-end.ts#readArgument': 'eight bytes at most',
  'src/schema/protobuf/protobuf-envelope.ts#readWatchFrames': 'answers that a client of ours asked for',
  'src/server/audit/audit-policy.ts#parseAuditPolicy': files,
  'src/store/embedded/journal-layout.ts#readHeader': stored,
  'src/store/embedded/journal-mark.ts#readMark': stored,
  'src/store/embedded/journal-of-format-2.ts#readJournalOfFormat2': journal,
  'src/store/embedded/journal.ts#readJournalFile': journal,
  'src/store/embedded/open-journal.ts#readInUse': stored,
  'src/store/embedded/records.ts#decodeLeaseKey': stored,
  'src/store/embedded/records.ts#decodeLogRecord': stored,
  'src/store/embedded/records.ts#decodeKeyState': stored,
  'src/store/embedded/records.ts#readNumber': stored,
  'src/store/embedded/records.ts#readRevisionKey': stored,
  'src/store/etcd/kv-messages.ts#readRangeResponse': etcd,
  'src/store/etcd/kv-messages.ts#readHeader': etcd,
  'src/store/etcd/kv-messages.ts#readKeyValue': etcd,
  'src/store/etcd/kv-messages.ts#readCompareAndSetResponse': etcd,
  'src/store/etcd/kv-messages.ts#readLeaseGrantResponse': etcd,
  'src/store/etcd/kv-messages.ts#readStatusResponse': etcd,
  'src/base/protobuf/message-fields.ts#readFields': etcd,
  'src/base/protobuf/message-fields.ts#readNumber': etcd,
  'src/store/etcd/watch-messages.ts#readWatchResponse': etcd,
  'src/verbs/subresources/pod-connect.ts#readPodLog': 'reads options by name and passes bytes on',
};
