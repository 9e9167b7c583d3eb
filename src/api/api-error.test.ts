import { describe, expect, it } from 'vitest';
import { alreadyExists, conflict, forbidden, invalid, notFound } from '#api/api-error.ts';

const pods = { group: '', resource: 'pods' };

describe('names in messages', () => {
  it('are quoted as Go quotes, so that odd ones cannot be mistaken for the text around them', () => {
    expect(notFound(pods, 'a"b\t').message).toBe('pods "a\\"b\\t" not found');
    expect(alreadyExists(pods, 'a\\b').message).toBe('pods "a\\\\b" already exists');
    expect(conflict(pods, 'a"b', 'why').message).toBe('Operation cannot be fulfilled on pods "a\\"b": why');
    expect(forbidden({ group: '', resource: '' }, 'a', 'why').message).toBe('forbidden: why');
    expect(forbidden(pods, 'a"b', 'why').message).toBe('pods "a\\"b" is forbidden: why');
    expect(invalid({ group: '', kind: 'Pod' }, 'a"b', []).message).toBe('Pod "a\\"b" is invalid');
  });

  it('stand in the details as they are', () => {
    expect(notFound(pods, 'a"b').toStatus().details).toEqual({ name: 'a"b', kind: 'pods' });
  });
});
