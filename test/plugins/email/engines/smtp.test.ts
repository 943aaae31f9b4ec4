import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { OutgoingMail } from "../../../../plugins/email/contract.js";
import { SmtpMailer, type SmtpOptions } from "../../../../plugins/email/engines/smtp.js";
import { mailerContract } from "../../../../plugins/email/testing/mailer-contract.js";
import {
  selfSigned,
  startMailServer,
  type MailServer,
} from "../../../support/servers/mail-server.js";

describe("mailer smtp", () => {
  const { key, cert } = selfSigned();
  let server: MailServer | null = null;
  let mailer: SmtpMailer | null = null;
  afterEach(async () => {
    await mailer?.close();
    await server?.close();
    mailer = server = null;
  });

  const mail: OutgoingMail = {
    id: "0001",
    from: { name: "Säite, Ltd.", address: "site@example.org" },
    to: ["ann@example.org"],
    replyTo: "help@example.org",
    subject: "Grüße 🚀",
    text: "Hello\n.\nWörld",
    html: "<p>Wörld</p>",
  };

  async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
    server = await startMailServer({ key, cert, ...options });
    return server;
  }

  function client(options: Partial<SmtpOptions> = {}): SmtpMailer {
    const port = server?.port ?? 0;
    mailer = new SmtpMailer({
      host: "127.0.0.1",
      port,
      secure: false,
      ca: cert,
      timeoutMs: 60_000,
      ...options,
    });
    return mailer;
  }

  const far = { code: 0 };
  describe("as any mailer", () => {
    mailerContract({
      open: async () => {
        far.code = 0;
        await start({
          onRcptTo: (_address, _session, callback) =>
            callback(
              far.code > 0 ? Object.assign(new Error("no"), { responseCode: far.code }) : null,
            ),
        });
        return client();
      },
      received: () =>
        (server?.received ?? []).map(({ mail: got, recipients }) => ({
          to: recipients,
          subject: got.subject ?? "",
          text: got.text ?? "",
        })),
      refuse: () => void (far.code = 550),
      fail: () => void (far.code = 451),
    });
  });

  it("does not connect to a server that must not be called", async () => {
    const { port, received } = await start();
    const asked: string[] = [];
    const refusal = async (host: string) => {
      asked.push(host);
      return "the host resolves to a private address";
    };
    const guarded = client({ port, refusal });
    const expected = { code: "ERR_EMAIL_UNSENT", message: /private address/ };
    await assert.rejects(guarded.send(mail), expected);
    await assert.rejects(guarded.verify(), expected);
    assert.deepEqual([received.length, asked.length], [0, 2]);
  });

  it("delivers text and HTML, Unicode and dots included, over STARTTLS", async () => {
    const { received } = await start();
    await client().send(mail);
    const [got] = received;
    assert.equal(got?.isSecure, true);
    assert.equal(got?.mail.subject, mail.subject);
    assert.deepEqual(
      [got?.mail.from?.name, got?.mail.from?.address],
      [mail.from.name, mail.from.address],
    );
    assert.equal(got?.mail.text?.trimEnd(), mail.text);
    assert.equal(got?.mail.html?.trimEnd(), mail.html);
    assert.equal(got?.mail.replyTo?.[0]?.address, "help@example.org");
    assert.deepEqual(got?.recipients, ["ann@example.org"]);
  });

  it("delivers over implicit TLS", async () => {
    const { received } = await start({ secure: true });
    await client({ secure: true }).send(mail);
    assert.equal(received[0]?.isSecure, true);
  });

  it("logs in, after STARTTLS only", async () => {
    const { received } = await start({
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) => {
        if (username === "u" && password === "p") callback(null, { user: "u" });
        else callback(new Error("Invalid login"));
      },
    });
    await client({ user: "u", pass: "p" }).send(mail);
    assert.deepEqual([received[0]?.user, received[0]?.isSecure], ["u", true]);
  });

  it("treats a rejected login as permanent, without the password in the error", async () => {
    await start({
      authOptional: false,
      onAuth: (_auth, _session, callback) => callback(new Error("Invalid")),
    });
    const error: unknown = await client({ user: "u", pass: "hunter2" })
      .send(mail)
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, "ERR_EMAIL_REFUSED");
    assert.ok(!error.message.includes("hunter2"));
  });

  it("never sends a login over a connection without TLS", async () => {
    let logins = 0;
    const { received } = await start({
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (_auth, _session, callback) => {
        logins += 1;
        callback(null, { user: "u" });
      },
    });
    await assert.rejects(client({ user: "u", pass: "p" }).send(mail));
    assert.deepEqual([logins, received.length], [0, 0]);
  });

  it("rejects an untrusted certificate", async () => {
    const { received } = await start();
    const login = { user: "u", pass: "p" };
    const port = server?.port ?? 0;
    mailer = new SmtpMailer({
      host: "127.0.0.1",
      port,
      secure: false,
      timeoutMs: 60_000,
      ...login,
    });
    await assert.rejects(mailer.send(mail), { code: "ERR_EMAIL_UNSENT" });
    assert.equal(received.length, 0);
  });

  it("maps a recipient's 451 to ERR_EMAIL_UNSENT", async () => {
    await start({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error("try again later"), { responseCode: 451 })),
    });
    await assert.rejects(client().send(mail), { code: "ERR_EMAIL_UNSENT" });
  });

  it("fails when the server is down", async () => {
    await assert.rejects(client({ port: 1 }).send(mail), { code: "ERR_EMAIL_UNSENT" });
  });

  it("times out when the server hangs", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port }: Pick<AddressInfo, "port"> = Object(silent.address());
    await assert.rejects(client({ port, timeoutMs: 100 }).send(mail), { code: "ERR_EMAIL_UNSENT" });
    silent.close();
  });
});
