#!/usr/bin/env bash
# Authorities and certificates for run.sh and the units: one authority for etcd, one for the API; every server gets the same files. Does nothing where they are.
#   ./make-pki.sh DIR [names of the servers, as DNS:… or IP:…]
set -euo pipefail
pki=$1; names=${2:-DNS:localhost,IP:127.0.0.1}
[ -f "$pki/done" ] && exit 0
mkdir -p "$pki"; chmod 700 "$pki"
authority() { # name
  openssl ecparam -name prime256v1 -genkey -noout -out "$pki/$1.key"
  openssl req -x509 -new -key "$pki/$1.key" -days 3650 -subj "/CN=$1" -out "$pki/$1.crt"
}
leaf() { # name authority subject usages names
  openssl ecparam -name prime256v1 -genkey -noout -out "$pki/$1.key"
  openssl req -new -key "$pki/$1.key" -subj "$3" -out "$pki/$1.csr"
  printf 'keyUsage=digitalSignature\nextendedKeyUsage=%s\n%s\n' "$4" "${5:+subjectAltName=$5}" > "$pki/$1.ext"
  openssl x509 -req -in "$pki/$1.csr" -CA "$pki/$2.crt" -CAkey "$pki/$2.key" -CAcreateserial -days 365 -extfile "$pki/$1.ext" -out "$pki/$1.crt" 2> /dev/null
  rm "$pki/$1.csr" "$pki/$1.ext"
}
authority etcd-ca; authority ca
leaf etcd etcd-ca /CN=etcd serverAuth,clientAuth "$names,DNS:etcd-0,DNS:etcd-1,DNS:etcd-2"
leaf etcd-client etcd-ca /CN=kube-apiserver clientAuth
leaf apiserver ca /CN=kube-apiserver serverAuth "$names,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,IP:10.0.0.1"
leaf admin ca /O=system:masters/CN=admin clientAuth
openssl genrsa -out "$pki/sa.key" 2048 2> /dev/null; openssl rsa -in "$pki/sa.key" -pubout -out "$pki/sa.pub" 2> /dev/null
cat > "$pki/encryption.yaml" <<C
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - secretbox: {keys: [{name: first, secret: $(head -c 32 /dev/urandom | base64)}]}
  - identity: {}
C
touch "$pki/done"
