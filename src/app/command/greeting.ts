import { kubernetesVersion } from '#server/pages/version.ts';

export interface Greeted {
  readonly url: string;
  readonly kubeconfig: string | undefined;
  /** 0: none. */
  readonly insecurePort: number;
  /** How many this server plays. */
  readonly nodes: number;
  /** Deployments become pods, and pods get a node. */
  readonly runsDeployments: boolean;
}

/** Where the server is, and three lines that show that it works. */
export function greeting(greeted: Greeted): string {
  const { url, kubeconfig, insecurePort, nodes } = greeted;
  const facts = [
    ['address', url],
    ...(kubeconfig === undefined ? [] : [['kubeconfig', kubeconfig]]),
    ...(insecurePort === 0 ? [] : [['insecure', insecure(insecurePort)]]),
    ...(nodes === 0 ? [] : [['nodes', `${nodes}, simulated: pods become ready, nothing runs`]]),
  ];
  const lines = facts.map(([name = '', value = '']) => `  ${name.padEnd(11)} ${value}\n`).join('');
  const tries = triesOf(greeted).map((line) => `  ${line}\n`);
  return `Binnacle serves Kubernetes ${kubernetesVersion.gitVersion}.\n\n${lines}\nTry:\n${tries.join('')}\n`;
}

function insecure(port: number): string {
  return `http://localhost:${port}`;
}

/** Without a kubeconfig the certificates are the operator's: only he knows a credential. */
function triesOf({ url, kubeconfig, insecurePort, nodes, runsDeployments }: Greeted): readonly string[] {
  if (insecurePort !== 0) return ['api/v1/namespaces', 'api/v1/pods', 'apis'].map((path) => `curl ${insecure(insecurePort)}/${path}`);
  if (kubeconfig === undefined) return ['livez', 'readyz?verbose', 'version'].map((path) => `curl --insecure '${url}/${path}'`);
  const access = `export KUBECONFIG=${shellWord(kubeconfig)}`;
  if (nodes > 0 && runsDeployments) return [access, 'kubectl create deployment web --image=nginx --replicas=3', 'kubectl get pods --output=wide'];
  return [access, 'kubectl create configmap hello --from-literal=to=you', 'kubectl get configmap hello --output=yaml'];
}

function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
