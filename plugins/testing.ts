/**
 * The entry point `sitewright/testing`: sites for tests of plugins, and the conformance suites of engine
 * slots.
 */
import type { Plugin } from "#kernel";
import { bootTestSite, OpenSites, type KernelTestSite, type KernelTestSiteOptions } from "#testing";
import type { OutgoingMail } from "./email/contract.js";
import { Mailbox, withMailbox } from "./email/testing/mailbox.js";
import { firstParty } from "./main.js";
import { StubbedOutbound, withStub, type OutboundStub } from "./outbound/testing/outbound-stub.js";
import type { SentRequest } from "./outbound/testing/outbound-stub.js";
import type { DeliveryRecord } from "./webhooks/contract.js";
import { attemptedDeliveries } from "./webhooks/testing/attempted-deliveries.js";

export { testClock, type TestClock } from "#testing";
export type { Crash, Leak, LogLine, PluginUnderTest, TestRunner } from "#testing";
export type { Mailbox } from "./email/testing/mailbox.js";
export type { OutboundStub, SentRequest, StubAnswer } from "./outbound/testing/outbound-stub.js";
export {
  mailerContract,
  type MailerFixture,
  type ReceivedMail,
} from "./email/testing/mailer-contract.js";
export { imageEngineContract } from "./media/testing/image-contracts.js";
export { imageStoreContract } from "./media/testing/image-contracts.js";
export { jobsContract, type JobsFixture } from "./jobs/testing/jobs-contract.js";
export { recordsContract, type RecordsFixture } from "./records/testing/records-contract.js";
export {
  rateLimitContract,
  type RateLimitFixture,
} from "./security/testing/rate-limit-contract.js";
export type { EngineUnderTest } from "./search/testing/engine-suite.js";
export { searchEngineContract } from "./search/testing/search-engine-contract.js";
export { searchRankingContract } from "./search/testing/search-engine-contract.js";
export { streamOf, toQuery } from "./search/testing/engine-suite.js";
export {
  sessionStoreContract,
  type SessionStoreFixture,
} from "./session/testing/session-store-contract.js";
export {
  authzStoreContract,
  type AuthzStoreFixture,
} from "./users/testing/authz-store-contract.js";
export { userStoreContract, type UserStoreFixture } from "./users/testing/user-store-contract.js";

/** Options of a test site. */
export interface TestSiteOptions extends KernelTestSiteOptions {
  /**
   * Handling of mail. Default: it is collected in `mailbox`. A function is called first; the mailer
   * rethrows its errors. `false`: the configured mailer sends it.
   */
  mail?: ((mail: OutgoingMail) => Promise<void> | void) | false;
  /**
   * Responds to outgoing requests. Default: no host responds, and nothing leaves the process.
   * `"network"`: the real client.
   */
  outbound?: OutboundStub | "network";
}
/** A running site in a temporary folder, on the real kernel. */
export interface TestSite extends KernelTestSite {
  /** The mail that was sent. */
  readonly mailbox: Mailbox;
  /** Outgoing requests in order; empty with `outbound: "network"`. */
  readonly requests: readonly SentRequest[];
  /** Attempted webhook deliveries, oldest first. */
  deliveries(): Promise<readonly DeliveryRecord[]>;
}

const openSites = new OpenSites();
openSites.closeAtEnd();

/**
 * Boots a site with a plugin under test on a free loopback port; resolves when it is ready. Create
 * it with `await using`, or close it yourself. A site left open by a failed test is closed when the
 * test run ends.
 */
export async function createTestSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const { mail, outbound } = options;
  const mailbox = new Mailbox(mail === false ? undefined : mail);
  const stub = new StubbedOutbound(outbound === "network" ? undefined : outbound);
  const adapt = (plugin: Plugin): Plugin => {
    if (plugin.name === "email" && mail !== false) return withMailbox(plugin, mailbox);
    if (plugin.name === "outbound" && outbound !== "network") return withStub(plugin, stub);
    return plugin;
  };
  const kernel = await bootTestSite({ firstParty, adapt }, options);
  openSites.add(kernel);
  const { close: closeSite } = kernel;
  const close = (): Promise<void> => {
    openSites.remove(kernel);
    return closeSite();
  };
  const deliveries = () => attemptedDeliveries(kernel.site.use("webhooks"));
  return Object.assign(kernel, { close, mailbox, requests: stub.requests, deliveries });
}
