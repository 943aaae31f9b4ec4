import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { OutgoingMail } from "../../../../plugins/email/contract.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import {
  HostedMailer,
  type HostedApi,
  postmark,
  resend,
  sendgrid,
} from "../../../../plugins/email/engines/hosted.js";
import {
  mailerContract,
  type ReceivedMail,
} from "../../../../plugins/email/testing/mailer-contract.js";

const outbound = new OutboundClient({ denyPrivate: false });

describe("mailers over HTTP", () => {
  let server: Server;
  let baseUrl = "";
  let answer: { status: number; headers?: Record<string, string>; body?: string } | "hang";
  let asked: {
    method?: string | undefined;
    url?: string | undefined;
    headers: IncomingMessage["headers"];
    body: unknown;
  }[];

  beforeEach(async () => {
    asked = [];
    answer = { status: 200, body: "{}" };
    server = createServer((req, res) => {
      void json(req).then((body) => {
        asked.push({ method: req.method, url: req.url, headers: req.headers, body });
        if (answer !== "hang") res.writeHead(answer.status, answer.headers).end(answer.body);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port }: Pick<AddressInfo, "port"> = Object(server.address());
    baseUrl = `http://127.0.0.1:${port}/`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });

  const mail: OutgoingMail = {
    id: "0001",
    from: { name: 'A "B"', address: "site@example.org" },
    to: ["ann@example.org", "bob@example.org"],
    replyTo: "help@example.org",
    subject: "Grüße",
    text: "text",
    html: "<p>html</p>",
  };
  const mailer = (api: HostedApi, limitMs = 60_000): HostedMailer =>
    new HostedMailer(api, { apiKey: "key-1", baseUrl, outbound, limitMs });

  describe("resend as a mailer", () => {
    mailerContract({
      open: () => mailer(resend),
      received: () =>
        asked.map(({ body }) => {
          const { to, subject, text } = Object(body) as ReceivedMail;
          return { to, subject, text };
        }),
      refuse: () => void (answer = { status: 422 }),
      fail: () => void (answer = { status: 503 }),
    });
  });

  it("resend: posts the mail, with an idempotency key", async () => {
    await mailer(resend).send(mail);
    assert.deepEqual([asked[0]?.method, asked[0]?.url], ["POST", "/emails"]);
    assert.equal(asked[0]?.headers.authorization, "Bearer key-1");
    assert.equal(asked[0]?.headers["idempotency-key"], "0001");
    assert.deepEqual(asked[0]?.body, {
      from: '"A B" <site@example.org>',
      to: mail.to,
      subject: "Grüße",
      text: "text",
      html: "<p>html</p>",
      reply_to: "help@example.org",
    });
  });

  it("postmark: posts the mail", async () => {
    await mailer(postmark).send(mail);
    assert.equal(asked[0]?.url, "/email");
    assert.equal(asked[0]?.headers["x-postmark-server-token"], "key-1");
    assert.deepEqual(asked[0]?.body, {
      From: '"A B" <site@example.org>',
      To: "ann@example.org, bob@example.org",
      Subject: "Grüße",
      TextBody: "text",
      HtmlBody: "<p>html</p>",
      ReplyTo: "help@example.org",
    });
  });

  it("sendgrid: posts the mail, the plain part first", async () => {
    await mailer(sendgrid).send({
      ...mail,
      replyTo: null,
      from: { name: "", address: "site@example.org" },
    });
    assert.equal(asked[0]?.url, "/v3/mail/send");
    assert.equal(asked[0]?.headers.authorization, "Bearer key-1");
    assert.deepEqual(asked[0]?.body, {
      from: { email: "site@example.org" },
      personalizations: [{ to: [{ email: "ann@example.org" }, { email: "bob@example.org" }] }],
      subject: "Grüße",
      content: [
        { type: "text/plain", value: "text" },
        { type: "text/html", value: "<p>html</p>" },
      ],
    });
  });

  for (const [status, code] of [
    [400, "ERR_EMAIL_REFUSED"],
    [401, "ERR_EMAIL_REFUSED"],
    [422, "ERR_EMAIL_REFUSED"],
    [408, "ERR_EMAIL_UNSENT"],
    [429, "ERR_EMAIL_UNSENT"],
    [500, "ERR_EMAIL_UNSENT"],
    [503, "ERR_EMAIL_UNSENT"],
  ] as const) {
    it(`maps ${status} to ${code}, without key or response in the error`, async () => {
      answer = { status, body: "your key key-1 is wrong" };
      const error: unknown = await mailer(resend)
        .send(mail)
        .catch((caught: unknown) => caught);
      assert.ok(error instanceof Error && "code" in error);
      assert.equal(error.code, code);
      assert.ok(!error.message.includes("key-1"));
    });
  }

  it("does not send the key elsewhere", async () => {
    answer = { status: 302, headers: { location: `${baseUrl}elsewhere` } };
    await assert.rejects(mailer(resend).send(mail), { code: "ERR_EMAIL_UNSENT" });
    assert.equal(asked.length, 1);
  });

  it("times out when an API hangs, and fails when it is down", async () => {
    answer = "hang";
    await assert.rejects(mailer(postmark, 200).send(mail), { code: "ERR_EMAIL_UNSENT" });
    const unreachable = new HostedMailer(postmark, {
      apiKey: "k",
      baseUrl: "http://127.0.0.1:1",
      outbound,
    });
    await assert.rejects(unreachable.send(mail), { code: "ERR_EMAIL_UNSENT" });
  });
});
