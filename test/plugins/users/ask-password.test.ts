import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { askPassword } from "../../../plugins/users/commands.js";

/** A terminal whose user types one answer after another. */
function terminal(answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  const shown: string[] = [];
  const left = [...answers];
  stdout.on("data", (chunk: Buffer) => {
    shown.push(String(chunk));
    // Wait for each prompt.
    if (/Password \(at least|Repeat password/.test(String(chunk)) && left.length > 0) {
      const answer = left.shift() ?? "";
      setImmediate(() => stdin.write(answer));
    }
  });
  return { stdin, stdout, text: () => shown.join("") };
}

const input = (password?: string) => ({ options: password === undefined ? {} : { password } });
const PASSWORD = "a long canary password";

describe("askPassword", () => {
  it("uses --password without a prompt", async () => {
    const { stdin, stdout, text } = terminal([]);
    assert.equal(await askPassword(input(PASSWORD), { stdin, stdout }), PASSWORD);
    assert.equal(text(), "");
  });

  it("asks twice on a terminal, without echo", async () => {
    const { stdin, stdout, text } = terminal([`${PASSWORD}\r`, `${PASSWORD}\r`]);
    assert.equal(await askPassword(input(), { stdin, stdout }), PASSWORD);
    assert.match(text(), /Password \(at least 12 characters\)[\s\S]*Repeat password/);
    assert.doesNotMatch(text(), /canary/);
  });

  for (const [what, answers] of [
    ["two that differ", [`${PASSWORD}\r`, "another password\r"]],
    ["an end by Ctrl-C", ["\u0003"]],
    ["an end by Ctrl-C at the second time", [`${PASSWORD}\r`, "\u0003"]],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const { stdin, stdout } = terminal(answers);
      await assert.rejects(askPassword(input(), { stdin, stdout }), {
        code: "ERR_USER_PASSWORD_WEAK",
      });
    });
  }

  it("fails with a fix without a terminal", async () => {
    const stdin = new PassThrough();
    for (const given of [input(), input("")]) {
      await assert.rejects(askPassword(given, { stdin, stdout: new PassThrough() }), {
        code: "ERR_USER_PASSWORD_WEAK",
        fix: /--password/,
      });
    }
  });
});
