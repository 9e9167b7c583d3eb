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

export interface TestServerOptions {
  /** More flags of kube-apiserver: `['--authorization-mode=AlwaysAllow']`. */
  readonly flags?: readonly string[];
  /** Built-in controllers by name, or `['*']`. Default: none, so that nothing happens that a test did not do. */
  readonly controllers?: readonly string[];
  /** Where the lines of the server's log go. Default: nowhere. */
  readonly log?: (line: string) => void;
}

export interface TestServer extends AsyncDisposable {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** A file with which kubectl, client-go and every other client is the administrator. */
  readonly kubeconfig: string;
  /** Of the authority that signed the server's certificate, in PEM. */
  readonly ca: string;
  /** The administrator. */
  readonly client: TestClient;
  /** Stops the server and removes its files. */
  close(): Promise<void>;
}

/** A whole API server in this process: its objects in memory, on a free port of the loopback interface. */
export declare function startTestServer(options?: TestServerOptions): Promise<TestServer>;
