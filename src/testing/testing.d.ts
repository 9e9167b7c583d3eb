// The public types of `binnacle/testing`. They stand by themselves, because they are shipped as they are.

/** `apiVersion` and `kind` decide where an object goes. */
export interface TestObject {
  apiVersion: string;
  kind: string;
  metadata: { name?: string; generateName?: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** What the server answers, unless a test says which type it expects. */
export interface Received {
  metadata: {
    name?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: unknown;
}

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Refusals are thrown: errors with the `code`, `reason`, `message` and `details` of the server's Status. */
export interface TestClient {
  get<T = Received>(kind: Kind, namespace: string, name: string): Promise<T>;
  list<T = Received>(
    kind: Kind,
    namespace?: string,
    query?: Query,
  ): Promise<{ readonly metadata: { readonly resourceVersion?: string }; readonly items: readonly T[] }>;
  create<T = Received>(object: TestObject, query?: Query): Promise<T>;
  update<T = Received>(object: TestObject, subresource?: string): Promise<T>;
  apply<T = Received>(object: TestObject, options: { fieldManager: string; force?: boolean; subresource?: string; dryRun?: boolean }): Promise<T>;
  delete(object: TestObject, options?: object): Promise<void>;
  watch<T = Received>(kind: Kind, namespace: string, query: Query, signal: AbortSignal): AsyncGenerator<{ readonly type: string; readonly object: T }>;
}

/** An object, a YAML text (several lines), or the path of a file or directory; or several of these. */
export type TestManifests = string | TestObject | readonly (string | TestObject)[];

export interface TestUser {
  /** As `system:serviceaccount:NAMESPACE:NAME` it is a service account. */
  readonly name: string;
  readonly groups?: readonly string[];
}

/** The `request` of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
  readonly object: Received | null;
  readonly oldObject: Received | null;
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

export interface AdmissionAnswer {
  readonly allowed: boolean;
  /** Of a refusal. */
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Operations of a JSON patch; of mutating webhooks. */
  readonly patch?: readonly { readonly op: string; readonly path: string; readonly value?: unknown; readonly from?: string }[];
}

/** What it throws counts as a failure of the webhook, about which `failurePolicy` decides. */
export type AdmissionHandler = (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** One webhook in a configuration of its own; the fields that are not named here are those of the API. */
export interface TestWebhook {
  readonly type: 'validating' | 'mutating';
  /** Also of its configuration: `pods.example.com`. Default: `webhook-N.binnacle.test`. */
  readonly name?: string;
  readonly rules: readonly {
    readonly operations: readonly string[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly scope?: 'Cluster' | 'Namespaced' | '*';
  }[];
  /** Asked by an HTTPS server that the library starts. */
  readonly handler?: AdmissionHandler;
  /** Instead of a handler: a webhook server that is there already, with its authority in PEM. */
  readonly url?: string;
  readonly caBundle?: string;
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

export interface TestServerOptions {
  /** CustomResourceDefinitions; they are served when the server is handed out. Other kinds in the same files are passed over. */
  readonly crds?: TestManifests;
  /** Users with a client certificate each, for `user()`. They may do what roles of the test allow them. */
  readonly users?: readonly TestUser[];
  readonly webhooks?: readonly TestWebhook[];
  /** Built-in controllers by name, or `['*']`. Default: none, so that nothing happens that a test did not do. */
  readonly controllers?: readonly string[];
  /** How many, or their names. Objects that are Ready and untainted; nothing runs on them. */
  readonly nodes?: number | readonly string[];
  /** More flags of kube-apiserver: `['--authorization-mode=AlwaysAllow']`. */
  readonly flags?: readonly string[];
  /** Where the lines of the server's log go. Default: nowhere. */
  readonly log?: (line: string) => void;
}

/** Somebody who may talk to the server. */
export interface TestAccess {
  /** A file with which kubectl, client-go and every other client is this user. */
  readonly kubeconfig: string;
  readonly client: TestClient;
}

/** As itself it is the administrator. */
export interface TestServer extends TestAccess, AsyncDisposable {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** Of the authority that signed the server's certificate, in PEM. */
  readonly ca: string;
  /** One of `users`; throws for a name that is not among them. */
  user(name: string): TestAccess;
  /**
   * Back to the state in which the server was handed out: what came since is deleted (finalizers do not hold it), what was changed or deleted
   * is as it was, uids included. Watches go on and see it happen.
   */
  reset(): Promise<void>;
  /** Stops the server and removes its files. */
  close(): Promise<void>;
}

/**
 * A whole API server in this process: its objects in memory, on a free port of the loopback interface. Further servers with the same flags
 * begin with what the first one made for itself, so its own objects (the namespace `kube-system` …) have the same uids in all of them.
 */
export declare function startTestServer(options?: TestServerOptions): Promise<TestServer>;
