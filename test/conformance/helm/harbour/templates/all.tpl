apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-text }
data: { text: {{ .Values.text | quote }} }
---
apiVersion: sea.example.com/v1
kind: Ship
metadata: { name: {{ .Release.Name }}-ship }
spec: { berth: {{ .Values.berths }}, cargo: {{ .Values.text | quote }} }
---
apiVersion: v1
kind: Service
metadata: { name: {{ .Release.Name }} }
spec: { selector: { app: {{ .Release.Name }} }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  replicas: {{ .Values.berths }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec: { containers: [{ name: c, image: i }] }
{{- if gt (int .Values.berths) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: {{ .Release.Name }} }
spec: { minAvailable: 1, selector: { matchLabels: { app: {{ .Release.Name }} } } }
{{- end }}
