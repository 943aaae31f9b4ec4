/** Sites for tests, exported apart from `#kernel`. It knows no feature; `sitewright/testing` adds the first-party plugins. */
export { bootTestSite } from "./test-site.js";
export type { Crash, KernelTestSite, KernelTestSiteOptions } from "./contract.js";
export type { Leak } from "./leaks.js";
export { OpenSites } from "./open-sites.js";
export { testClock, type TestClock } from "./test-clock.js";
export type { PluginUnderTest } from "./load-under-test.js";
export { RecordedLog, type LogLine } from "./recorded-log.js";
export { stating, statingRules, type SuiteRules } from "./stated-rule.js";
export { globalRunner, type TestRunner } from "./test-runner.js";
