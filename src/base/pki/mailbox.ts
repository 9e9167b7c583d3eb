// A mailbox of RFC 2821 in a certificate, as far as Go's crypto/x509 takes one apart: `local@domain`.
export interface Mailbox {
  readonly local: string;
  /** In lower case: domains are compared so. */
  readonly domain: string;
}

export function parseMailbox(text: string): Mailbox | undefined {
  const split = text.startsWith('"') ? quotedLocal(text) : plainLocal(text);
  if (split === undefined || text[split.next] !== '@') return undefined;
  const domain = text.slice(split.next + 1);
  const isDomain = domain === '' || (/^[!-~]+$/.test(domain) && domain.split('.').every((label) => label !== ''));
  return isDomain ? { local: split.local, domain: domain.toLowerCase() } : undefined;
}

interface Local {
  readonly local: string;
  readonly next: number;
}

/** Between double quotes; a backslash takes the next character as it is. */
function quotedLocal(text: string): Local | undefined {
  let local = '';
  for (let at = 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return { local, next: at + 1 };
    if (character === '\\') {
      const escaped = text.charAt(++at);
      if (!/^[\x01-\x09\x0b\x0c\x0e-\x7f]$/.test(escaped)) return undefined;
      local += escaped;
    } else if (/[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f]/.test(character)) local += character;
    else return undefined;
  }
  return undefined;
}

/** Atoms with single dots between them; escapes are taken outside of quotes too. */
function plainLocal(text: string): Local | undefined {
  let local = '';
  let at = 0;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') {
      if (++at >= text.length) return undefined;
    } else if (!/[0-9A-Za-z!#$%&'*+\-/=?^_`{|}~.]/.test(character)) break;
    local += text.charAt(at);
  }
  return local === '' || local.startsWith('.') || local.endsWith('.') || local.includes('..') ? undefined : { local, next: at };
}
