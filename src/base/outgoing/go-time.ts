/** RFC 3339 without fractions, as Go prints times in messages. */
export function goTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
