import assert from "node:assert/strict";
import { password, type AdminClient } from "../../../support/sites/admin-site.js";
import { bootAccounts, form, type AccountSite } from "../../../support/sites/account-site.js";
import { until } from "../../../support/until.js";

const next = "another good password 7";

describe("notices about changed accounts", () => {
  let site: AccountSite;
  beforeEach(async () => {
    site = await bootAccounts();
  });
  afterEach(() => site.close());
  const mails = async (count: number) => {
    await until(() => site.mail.received.length >= count);
    return site.mail.received.map(({ mail, recipients }) => ({
      to: recipients.join(),
      text: mail.text ?? "",
    }));
  };
  const setPassword = async (who: AdminClient) =>
    who.json(200, "POST", "/admin/api/me/password", { current: password, next });

  it("go to the former address when the address changes", async () => {
    const author = await site.as("author");
    const change = { email: "new@example.org", current: password };
    await author.json(200, "PATCH", "/admin/api/me", change);
    await site.form(await site.linkOfMail(1), {});
    await mails(3);
    const admin = await site.as("admin");
    await admin.json(200, "PUT", `/admin/api/users/${author.id}`, { email: "third@example.org" });
    const [, requested, ...changed] = await mails(4);
    assert.equal(requested?.to, "author-user@example.org");
    assert.match(requested?.text ?? "", /Another e-mail address was requested/);
    assert.doesNotMatch(requested?.text ?? "", /once_/);
    assert.deepEqual(
      changed.map(({ to }) => to),
      ["author-user@example.org", "new@example.org"],
    );
    for (const { text } of changed) {
      assert.match(text, /e-mail address of your account was changed/);
      assert.doesNotMatch(text, /third@|new@|once_/);
    }
  });

  it("go to the account when its password changes, in each way", async () => {
    const author = await site.as("author");
    await setPassword(author);
    const admin = await site.as("admin");
    const path = `/admin/api/users/${author.id}/password`;
    await admin.json(200, "PUT", path, { password: "yet another password 8" });
    await mails(2);
    await form(site, "/admin/reset", { email: "author-user@example.org" });
    const link = await site.linkOfMail(3);
    await form(site, link, { password: "the last good password 9" });
    const sent = await mails(4);
    const notices = sent.filter(({ text }) => /password of your account was changed/.test(text));
    assert.equal(notices.length, 3);
    assert.ok(notices.every(({ to }) => to === "author-user@example.org"));
  });

  it("are not sent for another name or the same address", async () => {
    const author = await site.as("author");
    const same = { name: "Ada", email: "author-user@example.org" };
    await author.json(200, "PATCH", "/admin/api/me", same);
    await setPassword(author);
    const [only] = await mails(1);
    assert.match(only?.text ?? "", /password of your account/);
  });
});
