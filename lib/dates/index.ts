/** Written dates as moments, in a time zone. Runs in Node.js and in browsers. */
export { isCalendarDay, parseMoment, readDate, zoneDay, zoneMoment } from "./dates.js";
export type { Clock } from "./clock.js";
