import assert from "node:assert/strict";
import type { OutgoingMail } from "../../../../plugins/email/contract.js";
import { ConsoleMailer, toLogLine } from "../../../../plugins/email/engines/console.js";

const mail: OutgoingMail = {
  id: "1",
  from: { name: "Site", address: "site@example.org" },
  to: ["ann@example.org", "bob@example.org"],
  replyTo: null,
  subject: "Hello",
  text: "one\ntwo\n\n",
  html: "<b>one</b>",
};
const written = async (part: Partial<OutgoingMail> = {}): Promise<string> => {
  const texts: string[] = [];
  await new ConsoleMailer((text) => void texts.push(text)).send({ ...mail, ...part });
  assert.equal(texts.length, 1);
  return texts.join("");
};

describe("mail on the console", () => {
  it("is one block with recipient, subject and text", async () => {
    const rule = "-".repeat(72);
    assert.deepEqual((await written()).split("\n"), [
      rule,
      "From: site@example.org",
      "To: ann@example.org, bob@example.org",
      "Subject: Hello",
      "",
      "one",
      "two",
      rule,
      "",
    ]);
  });

  it("is one line of JSON when logs are", async () => {
    const text = await written({ text: "https://x.example/auth/magic?token=a.b-c" });
    const line = toLogLine(text, 0);
    assert.equal(line.trimEnd().split("\n").length, 1);
    assert.deepEqual(JSON.parse(line), {
      level: "info",
      time: "1970-01-01T00:00:00.000Z",
      event: "email.console",
      text,
    });
  });

  it("cannot inject terminal sequences", async () => {
    const text = await written({ text: "\u001b[2Jgone\r\u0007\u009b31m\b\tend" });
    assert.match(text, /^[\n\x20-\x7e]+$/);
    assert.match(text, /gone/);
  });
});
