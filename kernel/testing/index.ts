/** Sites for tests, exported apart from `#kernel`. It knows no feature; `sitewright/testing` adds the first-party plugins. */
export { bootTestSite } from "./test-site.js";
export type { Crash, KernelTestSite, KernelTestSiteOptions } from "./contract.js";
export type { PluginUnderTest } from "./load-under-test.js";
export {
  globalRunner,
  type Leak,
  type LogLine,
  OpenSites,
  RecordedLog,
  stating,
  statingRules,
  type SuiteRules,
  testClock,
  type TestClock,
  type TestRunner,
} from "#lib/testing";
