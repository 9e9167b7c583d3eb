// `--token-auth-file`: CSV lines of token, user, uid and optionally "group,group".
import { AUTHENTICATED, type User } from '#api/user.ts';
import { knownFor, type TokenAuthenticator } from '#auth/authentication/token-verdict.ts';

export function tokenFile(text: string, apiAudiences: readonly string[] = []): TokenAuthenticator {
  const users = parseTokenFile(text);
  return (token, context) => Promise.resolve(knownFor(users.get(token), context, apiAudiences));
}

/** Later lines win over earlier ones with the same token, lines without a token count for nothing, as upstream has it. */
function parseTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return;
    const [token = '', name, uid, groups] = parseCsvLine(line);
    if (name === undefined || uid === undefined) throw new Error(`token file line ${i + 1} must have at least 3 columns (token, user name, user uid)`);
    if (token !== '') users.set(token, { name, uid, groups: [...(groups?.split(',') ?? []), AUTHENTICATED] });
  });
  return users;
}

function parseCsvLine(line: string): string[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",][^,]*|))(,|$)/y;
  const fields: string[] = [];
  for (let more = true; more; ) {
    const found = field.exec(line);
    if (found === null) throw new Error('a quoted column does not end');
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    more = found[3] === ',';
  }
  return fields;
}
