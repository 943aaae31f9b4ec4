import assert from "node:assert/strict";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { Mailer, OutgoingMail } from "../contract.js";

/** A mail as received by the server. */
export interface ReceivedMail {
  to: readonly string[];
  subject: string;
  text: string;
}
/** How the suite creates and inspects a mailer. */
export interface MailerFixture {
  /** A mailer whose server accepts everything. */
  open(): Promise<Mailer> | Mailer;
  /** Mail received since `open`. */
  received(): Promise<readonly ReceivedMail[]> | readonly ReceivedMail[];
  /** From now on the server permanently rejects mail. */
  refuse?(): Promise<void> | void;
  /** From now on the server is down; retrying may help. */
  fail?(): Promise<void> | void;
  /** Removes what `open` created; the suite has closed the mailer. */
  remove?(): Promise<void> | void;
}

/** The rules of mailers by the title of their check, which `mailerContract` states. */
export const MAILER_RULES: SuiteRules = {
  "delivers a mail unchanged, including Unicode and line breaks":
    "`send` delivers subject and text as given, with Unicode, and with lines of one dot",
  "delivers it to every recipient":
    "`send` delivers to each address of `to`; `html` and `replyTo` may be null",
  "keeps concurrent mails apart": "mails that are sent at the same time arrive whole, each once",
  "throws ERR_EMAIL_REFUSED when retrying is useless":
    "`send` rejects with `ERR_EMAIL_REFUSED` when the service refuses the mail for good",
  "throws another error when retrying may help":
    "`send` rejects with another error when trying again may help",
};

/** The conformance suite of mailers. Call it inside a `describe`. */
export function mailerContract(
  fixture: MailerFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, MAILER_RULES);
  let mailer: Mailer;
  beforeEach(async () => {
    mailer = await fixture.open();
  });
  afterEach(async () => {
    await mailer.close?.();
    await fixture.remove?.();
  });

  it("delivers a mail unchanged, including Unicode and line breaks", async () => {
    await mailer.send(sample("1"));
    const [got] = await fixture.received();
    assert.deepEqual(got && { ...got, text: got.text.trimEnd().split(/\r?\n/) }, {
      to: ["ann@example.org"],
      subject: "Grüße 🚀 1",
      text: ["Hello", ".", "Wörld"],
    });
  });

  it("delivers it to every recipient", async () => {
    const to = ["ann@example.org", "bob@example.org"];
    await mailer.send({ ...sample("2"), to, html: null, replyTo: null });
    const received = await fixture.received();
    assert.deepEqual(received.flatMap((mail) => mail.to).sort(), to);
  });

  it("keeps concurrent mails apart", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => mailer.send(sample(id))));
    const subjects = (await fixture.received()).map(({ subject }) => subject);
    assert.deepEqual(
      subjects.sort(),
      ids.map((id) => sample(id).subject),
    );
  });

  it("throws ERR_EMAIL_REFUSED when retrying is useless", async () => {
    if (!fixture.refuse) return;
    await fixture.refuse();
    await assert.rejects(mailer.send(sample("3")), { code: "ERR_EMAIL_REFUSED" });
  });

  it("throws another error when retrying may help", async () => {
    if (!fixture.fail) return;
    await fixture.fail();
    await assert.rejects(
      mailer.send(sample("4")),
      (error) => !(error instanceof Error && "code" in error && error.code === "ERR_EMAIL_REFUSED"),
    );
  });
}

function sample(id: string): OutgoingMail {
  return {
    id,
    from: { name: "Säite, Ltd.", address: "site@example.org" },
    to: ["ann@example.org"],
    replyTo: "help@example.org",
    subject: `Grüße 🚀 ${id}`,
    text: "Hello\n.\nWörld",
    html: "<p>Wörld</p>",
  };
}
