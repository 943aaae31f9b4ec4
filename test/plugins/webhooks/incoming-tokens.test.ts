import assert from "node:assert/strict";
import { createEnv, type Env } from "#kernel";
import { permittedActions, unusableEntries } from "../../../plugins/webhooks/incoming.js";
import { bodyToken, headerToken, parseActions } from "../../../plugins/webhooks/routes.js";
import type { IncomingWebhookSection } from "../../../plugins/webhooks/contract.js";

const token = "a-token-of-more-than-16";
const entry = (
  value: string,
  ...actions: IncomingWebhookSection["actions"]
): IncomingWebhookSection => ({ token: value, actions });
const permitted = (entries: IncomingWebhookSection[], given: string, env: Env = createEnv({})) =>
  [...permittedActions(entries, given, env)].toSorted();

describe("tokens of incoming webhooks", () => {
  it("permit the actions of their entry, or of all entries with the same token", () => {
    assert.deepEqual(permitted([entry(token, "rebuild")], token), ["rebuild"]);
    const both = [entry(token, "rebuild"), entry(token, "purge-cache")];
    assert.deepEqual(permitted(both, token), ["purge-cache", "rebuild"]);
  });

  for (const given of [
    "",
    token.slice(0, -1),
    `${token}x`,
    ` ${token}`,
    "$TOKEN",
    token.toUpperCase(),
  ]) {
    it(`permit nothing to ${JSON.stringify(given)}`, () => {
      assert.deepEqual(permitted([entry(token, "rebuild")], given), []);
    });
  }

  for (const [what, value] of [
    ["unset", undefined],
    ["empty", ""],
    ["of 15 characters", "x".repeat(15)],
  ] as const) {
    it(`match nothing when they are ${what}`, () => {
      const env = createEnv({ TOKEN: value });
      const entries = [entry("$TOKEN", "rebuild")];
      for (const given of ["", value ?? "", "$TOKEN"]) {
        assert.deepEqual(permitted(entries, given, env), []);
      }
      assert.deepEqual(unusableEntries([entry(token, "rebuild"), ...entries], env), [1]);
    });
  }

  it("are expanded at each call", () => {
    const variables: Record<string, string | undefined> = { TOKEN: token };
    const env = createEnv(variables);
    assert.deepEqual(permitted([entry("$TOKEN", "rebuild")], token, env), ["rebuild"]);
    variables["TOKEN"] = "another-token-of-16-up";
    assert.deepEqual(permitted([entry("$TOKEN", "rebuild")], token, env), []);
  });

  for (const place of [0, 1, 2]) {
    it(`are compared with every entry, even when number ${place} matches`, () => {
      const expanded: string[] = [];
      const known = createEnv({});
      const env: Env = {
        ...known,
        expand: (value) => {
          expanded.push(value);
          return known.expand(value);
        },
      };
      const entries = ["x", "y", "z"].map((letter, at) =>
        entry(at === place ? token : letter.repeat(20), "rebuild"),
      );
      assert.deepEqual(permitted(entries, token, env), ["rebuild"]);
      assert.deepEqual(
        expanded,
        entries.map((one) => one.token),
      );
    });
  }
});

describe("the input of an incoming webhook", () => {
  for (const [header, token] of [
    [undefined, null],
    ["", null],
    ["Basic abc", null],
    ["Bearerabc", null],
    ["token abc", null],
    ["Bearer", ""],
    ["Bearer ", ""],
    ["Bearer abc", "abc"],
    ["bearer   abc ", "abc"],
    ["BEARER a b", "a b"],
  ] as const) {
    it(`has the token ${JSON.stringify(token)} in the header ${JSON.stringify(header)}`, () => {
      assert.equal(headerToken(header), token);
    });
  }

  it("uses only own properties for token and actions", () => {
    const inherited: Record<string, unknown> = Object.create({ token: "abc", actions: 1 });
    assert.equal(bodyToken(inherited), "");
    assert.equal(parseActions(inherited), null);
    assert.equal(bodyToken({ token: "abc" }), "abc");
  });
});
