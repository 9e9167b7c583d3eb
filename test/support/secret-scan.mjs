// Looks for secrets in what servers put out: logs, refusals, metrics. For vitest and for the scripts alike.

/** Shorter texts would be found by chance. */
const shortest = 8;

/** The parts of a secret that give it away, whatever stands around them. */
export function tracesOf(secret) {
  if (secret.includes('-----BEGIN')) return secret.includes('PRIVATE KEY') ? keyLines(secret) : [];
  const jwt = /^[\w-]{8,}\.([\w-]{8,})\.([\w-]{8,})$/.exec(secret);
  if (jwt !== null) return [jwt[1], jwt[2]];
  return secret.length < shortest ? [] : [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1)];
}

/** Not the first line: it says which algorithm it is, and does so for everybody. */
function keyLines(pem) {
  const lines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  return lines.slice(1).filter((line) => line.length >= 24);
}

/** What nobody ever has to put out, whoever made it. */
const suspicious = [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/, /[Bb]earer [\w.~+/-]{16,}/];

/** Every trace that occurs in the text, with what stands around it. */
export function findTraces(text, traces) {
  const byStart = new Map();
  const starts = new Uint8Array(65_536);
  for (const trace of traces) {
    if (trace.length < shortest) continue;
    const start = trace.slice(0, shortest);
    byStart.set(start, [...(byStart.get(start) ?? []), trace]);
    starts[keyAt(trace, 0)] = 1;
  }
  const found = [];
  for (let at = 0; at + shortest <= text.length; at++) {
    if (starts[keyAt(text, at)] === 0) continue;
    for (const trace of byStart.get(text.slice(at, at + shortest)) ?? []) if (text.startsWith(trace, at)) found.push(around(text, at));
  }
  for (const pattern of suspicious) {
    const at = text.search(pattern);
    if (at >= 0) found.push(around(text, at));
  }
  return found;
}

function keyAt(text, at) {
  return ((text.charCodeAt(at) & 255) << 8) | (text.charCodeAt(at + 1) & 255);
}

function around(text, at) {
  return text.slice(Math.max(0, at - 120), at + 60);
}
