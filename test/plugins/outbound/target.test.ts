import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import { findTarget, networkError, type TargetRules } from "../../../plugins/outbound/target.js";

function rules(
  addresses: string[],
  rest: Partial<TargetRules> = {},
): TargetRules & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    policy: "strict",
    denyPrivate: false,
    isGuarded: async () => false,
    resolve: async (name) => {
      asked.push(name);
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    ...rest,
  };
}
const fails = (code: string) => (error: unknown) =>
  error instanceof SiteError && error.code === code;

describe("the target of a request", () => {
  for (const url of [
    "",
    "hooks.example",
    "//hooks.example",
    "file:///etc/passwd",
    "gopher://hooks.example",
    "javascript:alert(1)",
    "http://user@hooks.example",
    "http://:secret@hooks.example",
  ]) {
    it(`cannot be ${JSON.stringify(url)}, without a lookup`, async () => {
      const by = rules(["93.184.216.34"]);
      await assert.rejects(findTarget(url, by), fails("ERR_OUTBOUND_URL"));
      assert.deepEqual(by.asked, []);
    });
  }

  it("is rejected without its credentials in the message", async () => {
    await assert.rejects(
      findTarget("http://user:hunter2@hooks.example", rules([])),
      (error: unknown) => error instanceof Error && !error.message.includes("hunter2"),
    );
  });

  for (const host of [
    "169.254.169.254",
    "[::ffff:a9fe:a9fe]",
    "0.0.0.0",
    "[::]",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "metadata",
    "0xa9fea9fe",
  ]) {
    it(`is never ${host}, even from the operator`, async () => {
      for (const policy of ["operator", "named"] as const) {
        const by = rules(["93.184.216.34"], { policy });
        await assert.rejects(findTarget(`http://${host}/`, by), fails("ERR_OUTBOUND_ADDRESS"));
        assert.deepEqual(by.asked, []);
      }
    });
  }

  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "[::1]",
    "[::ffff:7f00:1]",
    "10.0.0.1",
  ]) {
    it(`may only be ${host} from the operator, without outbound.deny_private`, async () => {
      const url = `http://${host}/`;
      await assert.doesNotReject(findTarget(url, rules([], { policy: "operator" })));
      await assert.rejects(findTarget(url, rules([])), fails("ERR_OUTBOUND_ADDRESS"));
      const named = rules([], { policy: "named", denyPrivate: true });
      await assert.doesNotReject(
        findTarget(url, named),
        "an identity provider of the configuration",
      );
      const denied = rules([], { policy: "operator", denyPrivate: true });
      await assert.rejects(findTarget(url, denied), fails("ERR_OUTBOUND_ADDRESS"));
    });
  }

  for (const addresses of [
    ["93.184.216.34", "127.0.0.1"],
    ["2606:4700::1111", "::ffff:7f00:1"],
  ]) {
    it(`is rejected when one of its addresses is: ${addresses.join(", ")}`, async () => {
      const found = findTarget("http://hooks.example/", rules(addresses));
      await assert.rejects(found, fails("ERR_OUTBOUND_ADDRESS"));
    });
  }

  it("contains the checked addresses, for a name without trailing dot", async () => {
    const by = rules(["93.184.216.34", "2606:4700::1111"]);
    const { addresses } = await findTarget("https://Hooks.Example./x", by);
    assert.deepEqual(by.asked, ["hooks.example"]);
    assert.deepEqual(
      addresses.map(({ address }) => address),
      ["93.184.216.34", "2606:4700::1111"],
    );
  });

  it("is rejected without any address", async () => {
    await assert.rejects(findTarget("http://x.example/", rules([])), fails("ERR_OUTBOUND_NETWORK"));
  });

  it("is named only by its host, truncated to 120 characters", () => {
    const error = networkError(
      "h".repeat(500),
      Object.assign(new Error("secret"), { code: "ECONNRESET" }),
    );
    assert.match(error.message, /ECONNRESET/);
    assert.doesNotMatch(error.message, /secret|h{121}/);
  });
});
