import assert from "node:assert/strict";
import type { EmailMessage, OutgoingMail } from "../../../plugins/email/contract.js";
import type { Jobs } from "../../../plugins/jobs/contract.js";
import { EmailFront, queuedMail } from "../../../plugins/email/email-front.js";
import { Templates } from "../../../plugins/email/templates.js";

const from = { name: "Site", address: "site@example.org" };

describe("the email service", () => {
  let sent: OutgoingMail[];
  let front: EmailFront;
  const clock = { now: () => 1_000 };
  beforeEach(() => {
    sent = [];
    const jobs: Pick<Jobs, "add" | "idle"> = {
      add: async (_queue, payload) => {
        sent.push(queuedMail.parse(payload).mail);
        return "";
      },
      idle: () => Promise.resolve(),
    };
    front = new EmailFront({ from, jobs, templates: new Templates(() => []), clock });
  });
  const send = async (part: Partial<EmailMessage> = {}): Promise<OutgoingMail | undefined> => {
    await front.send({ to: "ann@example.org", subject: "Hello", text: "text", ...part });
    await front.settled();
    return sent.at(-1);
  };

  it("sends with the site's sender and a unique id", async () => {
    const first = await send();
    const { id, ...mail } = first ?? { id: "" };
    assert.deepEqual(mail, {
      from,
      to: ["ann@example.org"],
      replyTo: null,
      subject: "Hello",
      text: "text",
      html: null,
    });
    assert.notEqual((await send())?.id, id);
  });

  it("lower-cases one or many addresses", async () => {
    const mail = await send({ to: ["ANN@example.org", "bob@Example.ORG"], replyTo: "H@x.org" });
    assert.deepEqual(mail?.to, ["ann@example.org", "bob@example.org"]);
    assert.equal(mail?.replyTo, "h@x.org");
  });

  for (const address of [
    "",
    "ann",
    "a@b.c,d@e.f",
    "a@b.c\r\nBcc: x@y",
    "Ann <a@b.c>",
    '"x@evil"@b.c',
  ]) {
    it(`responds 400 to ${JSON.stringify(address)} in any field, and sends nothing`, async () => {
      const refused = { code: "ERR_EMAIL_ADDRESS", status: 400 };
      await assert.rejects(send({ to: address }), refused);
      await assert.rejects(send({ to: ["ann@example.org", address] }), refused);
      await assert.rejects(send({ replyTo: address }), refused);
      assert.deepEqual(sent, []);
    });
  }

  it("sends the subject on one line", async () => {
    assert.equal((await send({ subject: "Hi\r\nBcc: x@y\0" }))?.subject, "Hi Bcc: x@y");
  });

  it("sends a text-only mail for empty HTML", async () => {
    assert.equal((await send({ html: "" }))?.html, null);
    assert.equal((await send({ html: "<p>x</p>" }))?.html, "<p>x</p>");
  });

  it("fills templates, including those of plugins", async () => {
    front.addTemplate("hello", {
      subject: "For {{name}}",
      text: "{{name}}",
      html: "<b>{{name}}</b>",
    });
    await front.sendTemplate({ template: "hello", to: "ann@example.org", values: { name: "<A>" } });
    await front.settled();
    const { subject, text, html } = sent[0] ?? {};
    assert.deepEqual([subject, text, html], ["For <A>", "<A>", "<b>&lt;A&gt;</b>"]);
    await assert.rejects(
      front.sendTemplate({ template: "none", to: "ann@example.org", values: {} }),
      { code: "ERR_EMAIL_TEMPLATE" },
    );
  });

  it("validates addresses for other plugins", () => {
    assert.equal(front.parseAddress("ANN@example.org"), "ann@example.org");
    assert.equal(front.parseAddress(["a@b.c"]), null);
  });
});
