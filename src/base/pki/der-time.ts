// Points in time in certificates: UTCTime (1950 to 2049) and GeneralizedTime, in the forms that Go reads.
import { type DerReader, MalformedError, tags } from '#base/pki/der-reader.ts';

/** Milliseconds since 1970. */
export function readTime(reader: DerReader): number {
  if (reader.next === tags.utcTime) return timeOf(reader.content(tags.utcTime, 'x509: malformed UTCTime'), shortForm, 'x509: malformed UTCTime');
  if (reader.next !== tags.generalizedTime) throw new MalformedError('x509: unsupported time format');
  return timeOf(reader.content(tags.generalizedTime, 'x509: malformed GeneralizedTime'), longForm, 'x509: malformed GeneralizedTime');
}

/** The seconds may be missing in the short form only. An offset of zero is written `Z`. */
const shortForm = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:Z|([+-])(\d\d)(\d\d))$/;
const longForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)(\d\d))$/;

function timeOf(bytes: Buffer, form: RegExp, problem: string): number {
  const match = form.exec(bytes.toString('latin1'));
  if (match === null) throw new MalformedError(problem);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const full = form === longForm ? year : year < 50 ? 2000 + year : 1900 + year;
  const time = new Date(0);
  time.setUTCFullYear(full, month - 1, day);
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const offset = offsetOf(match[7], match[8], match[9]);
  if (!exists || offset === undefined) throw new MalformedError(problem);
  return time.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 - offset * 60_000;
}

/** In minutes. */
function offsetOf(sign: string | undefined, hours = '0', minutes = '0'): number | undefined {
  if (sign === undefined) return 0;
  const size = Number(hours) * 60 + Number(minutes);
  if (size === 0 || Number(hours) > 24 || Number(minutes) > 59) return undefined;
  return sign === '-' ? -size : size;
}
