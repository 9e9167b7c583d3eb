// RFC 3339 in bytes, as objects keep their times.

const [dash, colon, zero] = [0x2d, 0x3a, 0x30];
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
const [firstYear, lastYear] = [1980, 2099];
const secondsPerDay = 86_400;

/** Of `2026-11-17T12:00:00`. -1 for what is not written so, or is of a year in which objects are seldom made: Date.parse is left to those. */
export function secondsOf(bytes: Buffer, at: number): number {
  if (bytes[at + 4] !== dash || bytes[at + 7] !== dash || bytes[at + 10] !== 0x54 || bytes[at + 13] !== colon || bytes[at + 16] !== colon) return -1;
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const [month, day] = [twoDigits(bytes, at + 5), twoDigits(bytes, at + 8)];
  const [hour, minute, second] = [twoDigits(bytes, at + 11), twoDigits(bytes, at + 14), twoDigits(bytes, at + 17)];
  if (!(year >= firstYear && year <= lastYear && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return -1;
  if (!(hour < 24 && minute < 60 && second < 60)) return -1;
  return (daysTo(year, month) + day - 1) * secondsPerDay + hour * 3600 + minute * 60 + second;
}

/** From 1970 to the first of a month. Every fourth year up to 2099 is a leap year. */
function daysTo(year: number, month: number): number {
  const leapDays = Math.floor((year - 1969) / 4) + (month > 2 && year % 4 === 0 ? 1 : 0);
  return (year - 1970) * 365 + leapDays + (daysBefore[month - 1] as number);
}

function daysIn(year: number, month: number): number {
  return (daysBefore[month] as number) - (daysBefore[month - 1] as number) + (month === 2 && year % 4 === 0 ? 1 : 0);
}

/** NaN when one of them is none. */
function twoDigits(bytes: Buffer, at: number): number {
  const [tens, ones] = [(bytes[at] as number) - zero, (bytes[at + 1] as number) - zero];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
