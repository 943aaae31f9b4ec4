import assert from "node:assert/strict";
import { settings } from "../../../plugins/email/settings.js";

const read = (email: unknown) => settings.site.safeParse({ email });
const from = "Site <site@example.org>";
const hosted = { apiKey: "k" };

describe("settings of mail", () => {
  it("are absent without the block, and print mail with an empty one", () => {
    assert.deepEqual(settings.site.parse({}), {});
    assert.deepEqual(read({}).data?.email, { provider: "console", from: "" });
  });

  it("default to the usual port and STARTTLS", () => {
    const smtp = { host: "mail.example.org" };
    assert.deepEqual(read({ provider: "smtp", from, smtp }).data?.email?.smtp, {
      ...smtp,
      port: 587,
      secure: false,
    });
  });

  for (const provider of ["smtp", "resend", "postmark", "sendgrid"] as const) {
    it(`require the block of ${provider}, and a sender`, () => {
      const block = provider === "smtp" ? { host: "mail.example.org" } : hosted;
      assert.equal(read({ provider, from, [provider]: block }).success, true);
      const [missing] = read({ provider, from }).error?.issues ?? [];
      assert.deepEqual(missing?.path, ["email", provider]);
      const [issue] = read({ provider, [provider]: block }).error?.issues ?? [];
      assert.deepEqual(issue?.path, ["email", "from"]);
    });
  }

  for (const email of [
    { provider: "pigeon" },
    { form: from },
    { from: "Site\r\nBcc: x <a@b.c>" },
    { smtp: { host: "mail.example.org/x" } },
    { smtp: { host: "" } },
    { smtp: { host: "h", port: 0 } },
    { smtp: { host: "h", port: 65_536 } },
    { smtp: { host: "h", port: "587" } },
    { smtp: { host: "h", password: "p" } },
    { resend: { apiKey: "" } },
    { resend: { apiKey: "k", baseUrl: "ftp://x.example" } },
    { resend: { apiKey: "k", baseUrl: "x.example" } },
  ]) {
    it(`reject ${JSON.stringify(email)}`, () => {
      assert.equal(read(email).success, false);
    });
  }
});
