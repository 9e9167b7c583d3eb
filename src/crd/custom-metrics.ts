// What is counted of custom kinds, but for their conversions.
import type { Metric } from '#base/metrics.ts';
import { DocumentMetrics } from '#crd/document-metrics.ts';
import { RuleMetrics } from '#crd/rule-metrics.ts';

export class CustomMetrics {
  readonly rules = new RuleMetrics();
  readonly documents = new DocumentMetrics();

  metrics(): readonly Metric[] {
    return [...this.rules.metrics(), ...this.documents.metrics()];
  }
}
