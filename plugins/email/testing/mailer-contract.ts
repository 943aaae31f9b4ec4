import assert from "node:assert/strict";
import { globalRunner, type TestRunner } from "#testing";
import type { Mailer, OutgoingMail } from "../contract.js";

/** What the far side of a mailer got. */
export interface ReceivedMail {
  to: readonly string[];
  subject: string;
  text: string;
}
/** How the suite gets a mailer and sees what it does. */
export interface MailerFixture {
  /** A mailer whose far side takes everything. */
  open(): Promise<Mailer> | Mailer;
  /** What has arrived since `open`. */
  received(): Promise<readonly ReceivedMail[]> | readonly ReceivedMail[];
  /** From now on the far side says no for good: another attempt would be of no use. */
  refuse?(): Promise<void> | void;
  /** From now on the far side is down: another attempt may help. */
  fail?(): Promise<void> | void;
  /** Clears away what `open` made; the suite has closed the mailer. */
  remove?(): Promise<void> | void;
}

/** What every mailer must do. Call it inside a `describe`. */
export function mailerContract(
  fixture: MailerFixture,
  { it, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  let mailer: Mailer;
  beforeEach(async () => {
    mailer = await fixture.open();
  });
  afterEach(async () => {
    await mailer.close?.();
    await fixture.remove?.();
  });

  it("hands a mail over as it is, Unicode and lines included", async () => {
    await mailer.send(sample("1"));
    const [got] = await fixture.received();
    assert.deepEqual(got && { ...got, text: lines(got.text) }, {
      to: ["ann@example.org"],
      subject: "Grüße 🚀 1",
      text: ["Hello", ".", "Wörld"],
    });
  });

  it("hands it to everybody it is for", async () => {
    const to = ["ann@example.org", "bob@example.org"];
    await mailer.send({ ...sample("2"), to, html: null, replyTo: null });
    const received = await fixture.received();
    assert.deepEqual(received.flatMap((mail) => mail.to).sort(), to);
  });

  it("mixes up nothing of many at once", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => mailer.send(sample(id))));
    const subjects = (await fixture.received()).map(({ subject }) => subject);
    assert.deepEqual(
      subjects.sort(),
      ids.map((id) => sample(id).subject),
    );
  });

  it("throws ERR_EMAIL_REFUSED where another attempt is of no use", async () => {
    if (!fixture.refuse) return;
    await fixture.refuse();
    await assert.rejects(mailer.send(sample("3")), { code: "ERR_EMAIL_REFUSED" });
  });

  it("throws something else where another attempt may help", async () => {
    if (!fixture.fail) return;
    await fixture.fail();
    await assert.rejects(
      mailer.send(sample("4")),
      (error) => !(error instanceof Error && "code" in error && error.code === "ERR_EMAIL_REFUSED"),
    );
  });
}

function lines(text: string): string[] {
  return text.trimEnd().split(/\r?\n/);
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
