// How bodies as large as the server takes are written: as many parts as it takes, or exactly so many.
export const json = 'application/json';

/** What one body may hold of members and items, a little less than the server's limit (src/schema/element-limit.ts). */
export const mostElements = 97_000;

/** `count` of them, or as many as the server takes: what is beyond its limit would be refused before it costs anything. */
export function many(count, of, joint = ',') {
  return crowd(Math.min(count, Math.floor(mostElements / elementsIn(of(0), joint))), of, joint);
}

/** Exactly `count`, whatever the limit. */
export function crowd(count, of, joint = ',') {
  const parts = [];
  for (let index = 0; index < count; index++) parts.push(of(index));
  return parts.join(joint);
}

/** Key and value are two nodes of YAML; in JSON what counts is commas and opened containers. */
function elementsIn(text, joint) {
  return joint === '\n'
    ? 2
    : 1 +
        (
          String(text)
            .replace(/"[^"]*"/g, '')
            .match(/[,[{]/g) ?? []
        ).length;
}

/** A list of equal or different texts, as a JSON array. */
export const texts = (count, of) => `[${many(count, (index) => `"${of(index)}"`)}]`;

export const post = (path, body, type = json) => ({ method: 'POST', path, type, body });
export const patch = (path, kind, body) => ({ method: 'PATCH', path, type: `application/${kind}-patch+json`, body });
