// Taints of nodes and the tolerations of pods, as core/v1's Toleration.ToleratesTaint and Taint.MatchTaint judge them.

export interface TaintFacts {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

export interface TolerationFacts {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
}

/** `Lt` and `Gt` wait for the gate TaintTolerationComparisonOperators, which is off. */
export function toleratesTaint({ key = '', operator = '', value = '', effect = '' }: TolerationFacts, taint: TaintFacts): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}

/** A taint is known by its key and its effect: its value and its time may differ. */
export function sameTaint(a: TaintFacts, b: TaintFacts): boolean {
  return a.key === b.key && a.effect === b.effect;
}
