#!/usr/bin/env bash
# Three members of etcd over TLS and two servers on one machine, in the foreground until Ctrl-C. Everything is in DIR, and used again by the next run.
#   ./run.sh [DIR]        (default ./cluster; needs openssl and etcd: ETCD=/path/to/etcd where it is not in PATH; BINNACLE=/path/to/bin/binnacle)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mkdir -p "${1:-cluster}" && cd "${1:-cluster}" && pwd)
etcd=${ETCD:-etcd}; binnacle=${BINNACLE:-$here/../../bin/binnacle}; base=${BASE_PORT:-7400}
pki=$dir/pki
started=()
stop() { trap - EXIT; for ((i = ${#started[@]} - 1; i >= 0; i--)); do kill "${started[i]}" 2> /dev/null || true; wait "${started[i]}" 2> /dev/null || true; done; }
trap stop EXIT; trap 'exit 0' INT TERM

"$here/make-pki.sh" "$pki"

cluster=$(for n in 0 1 2; do printf 'm%s=https://127.0.0.1:%s,' "$n" $((base + 10 + n)); done)
endpoints=$(for n in 0 1 2; do printf 'https://127.0.0.1:%s,' $((base + n)); done)
for n in 0 1 2; do
  client=https://127.0.0.1:$((base + n)); peer=https://127.0.0.1:$((base + 10 + n))
  "$etcd" --name "m$n" --data-dir "$dir/etcd-$n" --initial-cluster "${cluster%,}" --log-level warn \
    --listen-client-urls "$client" --advertise-client-urls "$client" --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" \
    --cert-file "$pki/etcd.crt" --key-file "$pki/etcd.key" --trusted-ca-file "$pki/etcd-ca.crt" --client-cert-auth \
    --peer-cert-file "$pki/etcd.crt" --peer-key-file "$pki/etcd.key" --peer-trusted-ca-file "$pki/etcd-ca.crt" --peer-client-cert-auth \
    > "$dir/etcd-$n.log" 2>&1 &
  started+=($!)
done

# Addresses of their own on the loopback network would be refused in endpoints: these lead nowhere on one machine, and show that both are there.
for n in 0 1; do
  "$binnacle" --data-dir "$dir/server-$n" --bind-address 127.0.0.1 --secure-port $((base + 20 + n)) --advertise-address "10.77.0.$((n + 1))" --nodes 2 \
    --etcd-servers "${endpoints%,}" --etcd-cafile "$pki/etcd-ca.crt" --etcd-certfile "$pki/etcd-client.crt" --etcd-keyfile "$pki/etcd-client.key" \
    --encryption-provider-config "$pki/encryption.yaml" \
    --client-ca-file "$pki/ca.crt" --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$pki/sa.pub" --service-account-signing-key-file "$pki/sa.key" \
    > "$dir/server-$n.log" 2>&1 &
  started+=($!)
  echo $! > "$dir/server-$n.pid"
done

for n in 0 1; do
  for _ in $(seq 300); do
    kill -0 "$(cat "$dir/server-$n.pid")" 2> /dev/null || { tail -5 "$dir/server-$n.log" >&2; exit 1; }
    curl -sf --cacert "$pki/ca.crt" "https://127.0.0.1:$((base + 20 + n))/readyz" > /dev/null 2>&1 && break
    sleep 0.2
  done
  sed "s|SERVER|https://127.0.0.1:$((base + 20 + n))|; s|PKI|$pki|g" "$here/kubeconfig.template" > "$dir/kubeconfig-$n"
done
cat <<T
ready. In another terminal:
  export KUBECONFIG=$dir/kubeconfig-0      # the other server: kubeconfig-1
  kubectl create deployment web --image=nginx --replicas=3 && kubectl --kubeconfig $dir/kubeconfig-1 get pods --watch
  kubectl get endpointslice kubernetes                     # both servers
  kubectl -n kube-system get leases                        # who runs controllers and scheduler
  kill -9 \$(cat $dir/server-0.pid)                         # the other one takes over within 20 s
Ctrl-C ends everything.
T
wait "${started[0]}"
