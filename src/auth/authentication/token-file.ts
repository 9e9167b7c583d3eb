// `--token-auth-file`: CSV lines of token, user, uid and optionally "group,group".
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { TokenAuthenticator } from '#auth/authentication/bearer-token.ts';

export function tokenFile(text: string): TokenAuthenticator {
  const users = parseTokenFile(text);
  return (token) => Promise.resolve(users.get(token));
}

/** Later lines win over earlier ones with the same token, as upstream has it. */
function parseTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return;
    const [token = '', name, uid, groups = ''] = parseCsvLine(line);
    if (name === undefined || uid === undefined) throw new Error(`token file line ${i + 1} must have at least 3 columns (token, user name, user uid)`);
    if (token === '') throw new Error(`token file line ${i + 1} has an empty token`);
    users.set(token, { name, uid, groups: [...groups.split(',').flatMap((group) => group.trim() || []), AUTHENTICATED] });
  });
  return users;
}

function parseCsvLine(line: string): string[] {
  const field = /\s*(?:"((?:[^"]|"")*)"|([^",][^,]*|))(?:,|$)/y;
  const fields: string[] = [];
  while (field.lastIndex < line.length) {
    const found = field.exec(line);
    if (found === null) throw new Error('a quoted column does not end');
    fields.push(found[1]?.replaceAll('""', '"') ?? (found[2] ?? '').trim());
  }
  return fields;
}
