/** Logs: one line per event, as text or JSON, without secrets and control characters. Runs in Node.js. */
export {
  createLog,
  type LogDestination,
  type Logger,
  type LogLevel,
  type LogOptions,
  type RootLogger,
  silentLog,
} from "./log.js";
