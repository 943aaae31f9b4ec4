import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Logger, type Plugin, silentLog, SiteError } from "#kernel";
import { RecordedLog } from "#lib/testing";
import type { OutgoingMail } from "../../../plugins/email/contract.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";
import { startMailServer } from "../../support/servers/mail-server.js";

const LINK = "https://example.org/auth/magic?token=abc&next=/x";

describe("plugin email", () => {
  let site: TestSite | null = null;
  let sent: OutgoingMail[] = [];
  afterEach(async () => {
    await site?.close();
    site = null;
    sent = [];
  });

  /** Replaces the mailer, as any plugin can. */
  const sink: Plugin = {
    name: "sink",
    version: "1.0.0",
    hooks: {
      onMailerCreate: ({ data }) => {
        data.register("sink", { send: async (mail) => void sent.push(mail) });
        data.activate("sink");
      },
    },
  };

  async function boot(options: BootOptions = {}): Promise<TestSite> {
    site = await bootSite({ plugins: ["email"], extraPlugins: [sink], ...options });
    return site;
  }

  async function magicLink(
    { site: booted }: TestSite,
    to = "ann@example.org",
  ): Promise<OutgoingMail> {
    const email = booted.use("email");
    const values = { site: "<img src=x>\r\nBcc: x@y.z", link: LINK, minutes: "15" };
    await email.sendTemplate({ template: "magic-link", to, values });
    await email.settled();
    const [mail] = sent;
    assert.ok(mail);
    return mail;
  }

  it("fills the built-in template, escaped in HTML and on one line in the subject", async () => {
    const mail = await magicLink(await boot());
    assert.ok(mail.text.includes(LINK));
    assert.ok(mail.html?.includes(LINK.replace("&", "&amp;")));
    assert.ok(!mail.html?.includes("<img"));
    assert.ok(!/[\r\n]/.test(mail.subject));
  });

  it("uses the site as default sender", async () => {
    const mail = await magicLink(
      await boot({ files: { "site.yaml": "title: My Site\nurl: https://example.org\n" } }),
    );
    assert.deepEqual(mail.from, { name: "My Site", address: "noreply@example.org" });
  });

  it("sends with an id of its own, to lower-case addresses, text alone without HTML", async () => {
    const { site: booted } = await boot();
    const email = booted.use("email");
    const to = ["ANN@example.org", "bob@Example.ORG"];
    await email.send({ to, replyTo: "H@x.org", subject: "Hi\r\nBcc: x@y\0", text: "t", html: "" });
    await email.send({ to: "ann@example.org", subject: "s", text: "t", html: "<p>t</p>" });
    await email.settled();
    const { id, from: _from, ...first } = sent.find(({ html }) => html === null) ?? assert.fail();
    assert.deepEqual(first, {
      to: ["ann@example.org", "bob@example.org"],
      replyTo: "h@x.org",
      subject: "Hi Bcc: x@y",
      text: "t",
      html: null,
    });
    const second = sent.find(({ html }) => html === "<p>t</p>");
    assert.equal(second?.replyTo, null);
    assert.notEqual(second.id, id);
    assert.equal(email.parseAddress("ANN@example.org"), "ann@example.org");
    assert.equal(email.parseAddress(["a@b.c"]), null);
  });

  it("responds 400 to an invalid address in any field, and sends nothing", async () => {
    const { site: booted } = await boot();
    const email = booted.use("email");
    const refused = { code: "ERR_EMAIL_ADDRESS", status: 400 };
    for (const address of [
      "",
      "ann",
      "a@b.c\r\nBcc:x@y",
      '"x@evil"@b.c',
      "a@b.c,x@y",
      "<a@b.c>",
      "Ann <a@b.c>",
      "a@b.c; x@y",
      "g:a@b.c;",
      "((((",
      "adm\u0131n@x.org",
    ]) {
      const mail = { subject: "s", text: "t" };
      await assert.rejects(email.send({ ...mail, to: address }), refused, address);
      await assert.rejects(email.send({ ...mail, to: ["a@b.c", address] }), refused, address);
      await assert.rejects(
        email.send({ ...mail, to: "a@b.c", replyTo: address }),
        refused,
        address,
      );
      assert.equal(email.parseAddress(address), null);
    }
    assert.deepEqual(sent, []);
  });

  it("prefers the theme's own template", async () => {
    const booted = await bootSite({
      plugins: ["email", "render"],
      extraPlugins: [sink],
      files: {
        "site.yaml": "title: T\ntheme: {name: mine}\n",
        "themes/mine/emails/magic-link.txt": "Subject: Hi {{site}}\n\nGo to {{link}} {{unknown}}",
        "themes/mine/emails/magic-link.html": "<b>{{ link }}</b>",
      },
    });
    site = booted;
    const mail = await magicLink(booted);
    assert.match(mail.subject, /^Hi /);
    assert.equal(mail.text, `Go to ${LINK} {{unknown}}`);
    assert.equal(mail.html, `<b>${LINK.replace("&", "&amp;")}</b>`);
  });

  it("uses templates of plugins, and rejects unknown names", async () => {
    const { site: booted } = await boot();
    const email = booted.use("email");
    email.addTemplate("hello", { subject: "{{a}}", text: "{{a}}", html: "" });
    await email.sendTemplate({ template: "hello", to: "a@b.c", values: { a: "1" } });
    await email.settled();
    assert.deepEqual([sent[0]?.subject, sent[0]?.html], ["1", null]);
    for (const template of ["nothing", "../../secret", "__proto__"]) {
      const sending = email.sendTemplate({ template, to: "a@b.c", values: {} });
      await assert.rejects(sending, { code: "ERR_EMAIL_TEMPLATE" });
    }
  });

  it("delivers over the configured SMTP server before it closes", async () => {
    const server = await startMailServer();
    const { port } = server;
    site = await bootSite({
      plugins: ["email"],
      settings: {
        site: {
          email: {
            provider: "smtp",
            from: "Site <a@example.org>",
            smtp: { host: "127.0.0.1", port },
          },
        },
      },
      env: { SITE_ENV: "production" },
    });
    await site.site.use("email").send({ to: "Ann@example.org", subject: "s", text: "t" });
    await site.close();
    site = null;
    await server.close();
    // The server's certificate has expired: on this machine, without a login, mail is still sent.
    assert.deepEqual(
      server.received.map(({ recipients }) => recipients),
      [["ann@example.org"]],
    );
    assert.equal(server.received[0]?.mail.from?.address, "a@example.org");
  });

  /** A mailer that fails while `isDown`, and records ids. */
  function unreliable() {
    const mailer = { isDown: true, error: new Error("down"), ids: [] as string[] };
    const plugin: Plugin = {
      name: "sink",
      version: "1.0.0",
      hooks: {
        onMailerCreate: ({ data }) => {
          data.register("sink", {
            send: async (mail) => {
              mailer.ids.push(mail.id);
              if (mailer.isDown) throw mailer.error;
              sent.push(mail);
            },
          });
          data.activate("sink");
        },
      },
    };
    return { mailer, plugin };
  }
  const stored = (root: string): Promise<string[]> =>
    readdir(join(root, ".dune/admin/jobs/mail")).then((names) => names.filter(isJob));
  const isJob = (name: string): boolean => name.endsWith(".json");

  it("sends failed mail after a restart, unless it has expired", async () => {
    const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
    const { mailer, plugin } = unreliable();
    const start = (root?: string): Promise<TestSite> =>
      bootSite({ plugins: ["email"], extraPlugins: [plugin], clock, ...(root && { root }) });
    const first = await start();
    site = first;
    const email = first.site.use("email");
    await email.send({ to: "a@b.c", subject: "short", text: "t", usefulSeconds: 900 });
    await email.send({ to: "a@b.c", subject: "long", text: "t" });
    await first.site.close();
    assert.equal((await stored(first.root)).length, 2);
    mailer.isDown = false;
    clock.ahead = 1_000_000;
    const second = await start(first.root);
    // The next mail makes this process run the site's jobs, as listening does.
    await second.site.use("email").send({ to: "a@b.c", subject: "new", text: "t" });
    await second.close();
    assert.deepEqual(sent.map(({ subject }) => subject).sort(), ["long", "new"]);
    assert.deepEqual(await stored(first.root), []);
  });

  it("uses the same id for every attempt, and does not retry a rejected mail", async () => {
    const { mailer, plugin } = unreliable();
    const log = new RecordedLog();
    const booted = await boot({ extraPlugins: [plugin], log: log.logger });
    const email = booted.site.use("email");
    await email.send({ to: "a@b.c", subject: "s", text: "t" });
    await email.settled();
    mailer.isDown = false;
    await until(() => sent.length > 0);
    assert.equal(mailer.ids.length, 2);
    assert.equal(new Set(mailer.ids).size, 1);
    mailer.isDown = true;
    mailer.error = new SiteError("ERR_EMAIL_REFUSED", "no such user");
    await email.send({ to: "a@b.c", subject: "s", text: "t" });
    await email.settled();
    assert.equal(mailer.ids.length, 3);
    const failed = log.lines.find(({ event }) => event === "email.failed");
    assert.equal(failed?.fields["error"], "no such user");
  });

  it("responds immediately while the mail server is down", async () => {
    const smtp = { host: "127.0.0.1", port: 1 };
    site = await bootSite({
      plugins: ["email"],
      settings: { site: { email: { provider: "smtp", from: "a@example.org", smtp } } },
    });
    await site.site.use("email").send({ to: "a@b.c", subject: "s", text: "t" });
  });

  it("warns about provider console in production, and not without a block", async () => {
    const warnings: string[] = [];
    const log: Logger = {
      ...silentLog,
      warn: (event) => void warnings.push(event),
      error: (event) => void warnings.push(event),
      child: () => log,
    };
    const production = { SITE_ENV: "production" };
    site = await bootSite({
      plugins: ["email"],
      log,
      env: production,
      settings: { site: { email: { provider: "console" } } },
    });
    assert.deepEqual(warnings, ["email.console_in_production"]);
    await site.close();
    site = await bootSite({ plugins: ["email"], log, env: production });
    await site.site.use("email").send({ to: "a@b.c", subject: "s", text: "secret" });
    await site.site.use("email").settled();
    assert.equal(site.site.context("email").engines.slot("mailer").activeName, "none");
    assert.equal(warnings.at(-1), "email.failed");
  });
});
