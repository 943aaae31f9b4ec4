import assert from "node:assert/strict";
import { RecordedLog } from "#testing";
import { jobNodesSuite } from "../../support/suites/job-nodes-suite.js";
import { JobNodes, type NodeOptions } from "../../support/suites/job-nodes.js";
import { RedisConnection } from "#lib/databases";
import { useRedis } from "../../support/services.js";

describe("nodes that share their jobs in Redis", () => {
  let url = "";
  const nodes = new JobNodes();
  beforeEach(async function () {
    url = (await useRedis(this)).url;
    await nodes.open();
  });
  afterEach(() => nodes.close());

  jobNodesSuite({ use: useRedis, downCode: "ERR_REDIS_DOWN" });

  it("warn when Redis does not write what it has to a disk", async () => {
    const log = new RecordedLog();
    await nodes.boot("a", url, { log: log.logger });
    const [warning] = log.lines.filter(({ event }) => event === "redis.may_lose_jobs");
    assert.equal(warning?.fields["setting"], "appendonly");
  });

  describe("do not start", () => {
    const refused = async (at: string, code: string, options: NodeOptions = {}): Promise<void> => {
      await assert.rejects(nodes.boot("refused", at, options), (error: Error) => {
        assert.ok("code" in error && "fix" in error);
        assert.equal(error.code, code);
        assert.ok(typeof error.fix === "string" && error.fix.length > 10);
        assert.doesNotMatch(`${error.message} ${error.fix}`, /wrong-secret/);
        return true;
      });
    };
    const changed = (change: (url: URL) => void): string => {
      const other = new URL(url);
      change(other);
      return other.href;
    };
    const command = async (...words: string[]): Promise<void> => {
      const connection = new RedisConnection(url, () => undefined);
      await (await connection.client()).sendCommand(words);
      await connection.close();
    };

    it("with a wrong password", () =>
      refused(
        changed((other) => {
          other.username = "another";
          other.password = "wrong-secret";
        }),
        "ERR_REDIS_LOGIN",
      ));

    it("with a database number that Redis does not have", () =>
      refused(
        changed((other) => (other.pathname = "/999")),
        "ERR_REDIS_LOGIN",
      ));

    it("while nothing listens at the address", () =>
      refused(
        changed((other) => (other.port = "1")),
        "ERR_REDIS_UNREACHABLE",
      ));

    it("with an address of another kind", () =>
      refused("mysql://localhost/site", "ERR_REDIS_URL", {
        settings: { system: { jobs: { engine: "redis" } } },
      }));

    it("on the jobs of another site", async () => {
      await nodes.boot("a", url);
      await refused(url, "ERR_REDIS_SITE", { settings: { site: { title: "Another" } } });
    });

    it("on jobs of a newer version", async () => {
      await command("HSET", "site:jobs:meta", "site", "Test", "version", "2");
      await refused(url, "ERR_REDIS_NEWER");
    });

    it("without the plugin", () =>
      refused(url, "ERR_ENGINE_UNKNOWN", { plugins: ["content", "jobs"] }));
  });
});
