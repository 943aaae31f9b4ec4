import assert from "node:assert/strict";
import {
  parseJson,
  readClaims,
  readDiscord,
  readGithub,
  readGoogle,
} from "../../../../plugins/auth/providers/provider.js";

const URLS = { user: "user", emails: "emails" };
const isFault = { name: "ProviderError", fault: "provider" };
const from =
  (answers: Record<string, unknown>) =>
  async (url: string): Promise<unknown> =>
    answers[url];
const main = (part: Record<string, unknown> = {}) => ({
  email: "ann@example.org",
  primary: true,
  verified: true,
  ...part,
});

describe("GitHub profiles", () => {
  const user = { id: 1, login: "ann", name: "Ann", avatar_url: "https://a.example/1" };
  it("have the id as text, the name and the primary address", async () => {
    const profile = await readGithub(from({ user, emails: [main()] }), URLS);
    assert.deepEqual(profile, {
      id: "1",
      email: "ann@example.org",
      name: "Ann",
      avatarUrl: "https://a.example/1",
    });
  });

  it("use the login when there is no name", async () => {
    const profile = await readGithub(from({ user: { ...user, name: null }, emails: [] }), URLS);
    assert.equal(profile.name, "ann");
  });

  for (const [what, emails] of [
    ["none", []],
    ["an unverified primary", [main({ verified: false })]],
    ["a verified one that is not primary", [main({ primary: false })]],
    ["both, of two addresses", [main({ verified: false }), main({ primary: false })]],
  ] as const) {
    it(`have no address when there is ${what}`, async () => {
      assert.equal((await readGithub(from({ user, emails }), URLS)).email, null);
    });
  }

  for (const [what, answers] of [
    ["no id", { user: { login: "ann" }, emails: [] }],
    ["an empty id", { user: { id: "" }, emails: [] }],
    ["a broken id", { user: { id: 1.5 }, emails: [] }],
    ["no object", { user: [], emails: [] }],
    ["an error as addresses", { user, emails: { message: "no" } }],
    ["truth as text", { user, emails: [main({ verified: "true" })] }],
  ] as const) {
    it(`reject ${what}`, async () => {
      await assert.rejects(readGithub(from(answers), URLS), isFault);
    });
  }
});

describe("Discord profiles", () => {
  const user = { id: "80351110224678912", username: "ann", verified: true, email: "a@b.c" };
  const read = (part: Record<string, unknown>) =>
    readDiscord(from({ user: { ...user, ...part } }), URLS);

  it("have the display name and the avatar's URL", async () => {
    const profile = await read({ global_name: "Ann", avatar: "8342729096ea3675442027381ff50dfe" });
    assert.deepEqual([profile.name, profile.email], ["Ann", "a@b.c"]);
    assert.match(profile.avatarUrl ?? "", /^https:\/\/cdn\.discordapp\.com\/avatars\/803511/);
  });

  it("have no unverified address", async () => {
    for (const verified of [false, null, undefined, "no", 1]) {
      assert.equal((await read({ verified })).email, null, String(verified));
    }
  });

  it("cannot escape the avatar folder", async () => {
    const { avatarUrl = "" } = await read({ avatar: "../../evil?x#y" });
    assert.match(new URL(avatarUrl).pathname, /^\/avatars\/\d+\/[^/]+\.png$/);
  });
});

describe("standard claims", () => {
  it("follow OpenID Connect, or Google's own API", async () => {
    const own = {
      id: "1",
      email: "a@b.c",
      verified_email: true,
      name: "Ann",
      picture: "https://p",
    };
    const profile = { id: "1", email: "a@b.c", name: "Ann", avatarUrl: "https://p" };
    assert.deepEqual(await readGoogle(from({ user: own }), URLS), profile);
    const { id, verified_email: _, ...rest } = own;
    assert.deepEqual(readClaims({ ...rest, sub: id, email_verified: true }), profile);
    assert.equal(readClaims({ sub: "1", preferred_username: "ann" }).name, "ann");
  });

  for (const [flag, email] of [
    [true, "a@b.c"],
    ["true", "a@b.c"],
    [false, null],
    ["false", null],
    ["maybe", null],
    [1, null],
    [null, null],
    [undefined, null],
    [{}, null],
  ] as const) {
    it(`have ${email ?? "no address"} with email_verified ${JSON.stringify(flag)}`, () => {
      assert.equal(readClaims({ sub: "1", email: "a@b.c", email_verified: flag }).email, email);
    });
  }

  it("trust a negative standard claim over the older one", () => {
    const both = { sub: "1", email: "a@b.c", email_verified: false, verified_email: true };
    assert.equal(readClaims(both).email, null);
  });

  for (const value of [
    null,
    [],
    "x",
    1,
    {},
    { sub: "" },
    { sub: null },
    { sub: "s".repeat(256) },
  ]) {
    it(`have no id in ${JSON.stringify(value)?.slice(0, 30)}`, () => {
      assert.throws(() => readClaims(value), isFault);
    });
  }

  it("drop fields of the wrong type", () => {
    const odd = { sub: "1", name: {}, picture: 1, email: [], email_verified: true };
    assert.deepEqual(readClaims(odd), { id: "1", email: null });
  });
});

describe("JSON of a provider", () => {
  for (const [text, value] of [
    ['{"id":1152921504606846977}', { id: "1152921504606846977" }],
    ['{"sub" : 99999999999999999999 }', { sub: "99999999999999999999" }],
    ['{"id":42}', { id: 42 }],
    ['{"id":"1152921504606846977"}', { id: "1152921504606846977" }],
    ['{"name":"\\"id\\":1152921504606846977,"}', { name: '"id":1152921504606846977,' }],
    ['{"uid":1152921504606846976}', { uid: 1152921504606846976 }],
  ] as const) {
    it(`keeps every digit of ids: ${text}`, () => {
      assert.deepEqual(parseJson(text), value);
    });
  }

  for (const text of ["", "<h1>", "{", '{"id":1152921504606846977', "undefined"]) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseJson(text), isFault);
    });
  }
});
