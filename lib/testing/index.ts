/** Supports of tests: a clock that stands still, a log that records, what is left open, rules of suites. Runs in Node.js. */
export { type Leak, LeakWatch } from "./leaks.js";
export { OpenSites } from "./open-sites.js";
export { type LogLine, RecordedLog } from "./recorded-log.js";
export { stating, statingRules, type SuiteRules } from "./stated-rule.js";
export { testClock, type TestClock } from "./test-clock.js";
export { globalRunner, type TestRunner } from "./test-runner.js";
