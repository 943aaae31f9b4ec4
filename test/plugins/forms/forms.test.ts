import assert from "node:assert/strict";
import { bootForms, contact, typed, type FormSite } from "./form-site.js";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../support/until.js";

describe("forms", () => {
  let site: FormSite;
  beforeEach(async () => {
    site = await bootForms();
  });
  afterEach(() => site.close());

  const submissions = async (query = "") => {
    const admin = await site.as("admin", { username: `reader-${Math.random()}`.slice(0, 20) });
    return admin.json(200, "GET", `/admin/api/forms/contact/submissions${query}`);
  };

  it("are drawn in a page, with labels, help and hidden fields", async () => {
    const html = await (await site.fetch("/contact")).text();
    assert.match(html, /<form class="form" id="form-contact"[^>]*action="\/forms\/contact"/);
    assert.match(
      html,
      /<label for="form-contact-name">Name<\/label><input type="text" id="form-contact-name" name="name" required/,
    );
    assert.match(html, /aria-describedby="form-contact-email-help"/);
    assert.match(html, /name="_token" value="[\w.-]+"/);
    assert.doesNotMatch(html, /name="order" required/);
    assert.match(await (await site.fetch("/de/contact")).text(), />Ihr Name<.*>Absenden</s);
  });

  it("are stored, mailed, and lead to the page after them", async () => {
    const token = await site.token();
    site.wait(5);
    const answer = await site.post({ ...typed, _token: token, role: "admin" });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), "/thanks");
    const { items, total } = await submissions();
    assert.equal(total, 1);
    const { values, lang, page, user, spam } = items[0];
    assert.deepEqual(
      { lang, page, user, spam },
      { lang: "en", page: "/contact", user: null, spam: false },
    );
    assert.deepEqual(values, { ...typed, message: "Hello\nthere", consent: true });
    await until(() => site.mails.length === 1 && site.submitted.length === 1);
    assert.equal(site.submitted[0]?.form, "contact");
    assert.equal(site.mails[0]?.subject, "Message from Ada");
    assert.equal(site.mails[0]?.replyTo, "ada@example.org");
    assert.match(site.mails[0]?.text ?? "", /Topic: Help/);
  });

  it("take multipart without files, and JSON with the token of the API", async () => {
    const form = await (await site.fetch("/api/forms/contact")).json();
    assert.deepEqual(form.fields.map(({ name }: { name: string }) => name).slice(0, 2), [
      "name",
      "email",
    ]);
    site.wait(5);
    const body = { ...typed, consent: true, _token: form.token };
    const sent = await site.fetch("/forms/contact", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(sent.status, 303);
    const data = new FormData();
    for (const [name, value] of Object.entries({ ...typed, ways: "mail", _token: form.token }))
      data.append(name, String(value));
    assert.equal((await site.fetch("/forms/contact", { method: "POST", body: data })).status, 303);
    data.append("file", new Blob(["x"]), "x.txt");
    assert.equal((await site.fetch("/forms/contact", { method: "POST", body: data })).status, 415);
  });

  it("name invalid fields in place, with what was typed, in the language of the page", async () => {
    const token = await site.token("/de/contact");
    site.wait(5);
    const answer = await site.post({ ...typed, email: "<b>nope", topic: "sale", _token: token });
    assert.equal(answer.status, 422);
    const html = await answer.text();
    assert.match(html, /<html lang="de"/);
    assert.match(html, /<h1>Kontakt<\/h1>/);
    assert.match(html, /role="alert"/);
    assert.match(html, /value="&lt;b&gt;nope"/);
    assert.match(html, /id="form-contact-email-error">Bitte eine E-Mail-Adresse/);
    assert.match(html, /href="#form-contact-order">Order<\/a>: Diese Angabe fehlt/);
    assert.match(html, />Hello\s+there<\/textarea>/);
    assert.match(html, /value="phone" checked/);
    const again = /name="_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    site.wait(5);
    const done = await site.post({ ...typed, _token: again });
    assert.equal(done.headers.get("location"), "/de/thanks");
  });

  it("name invalid fields to programs", async () => {
    const token = await site.token();
    site.wait(5);
    const answer = await site.fetch("/forms/contact", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        _token: token,
        name: ["a", "b"],
        email: {},
        ways: [{}],
        consent: false,
      }),
    });
    assert.equal(answer.status, 422);
    const { error, validationErrors } = await answer.json();
    assert.match(error, /name/);
    const fields = validationErrors.map(({ field }: { field: string }) => field).sort();
    assert.deepEqual(fields, ["consent", "email", "name", "ways"]);
  });

  it("that come too soon, or without a valid token, are shown again", async () => {
    const token = await site.token();
    const expected = async (body: Record<string, string>, pattern: RegExp): Promise<void> => {
      const answer = await site.post({ ...typed, ...body });
      const html = await answer.text();
      assert.equal(answer.status, 422);
      assert.match(html, pattern);
      assert.match(html, /value="Ada"/);
    };
    await expected({ _token: token }, /very quick/);
    site.wait(5);
    const [payload = "", signature = ""] = token.split(".");
    const forged = Buffer.from('["form:contact","//evil.example",0]').toString("base64url");
    for (const bad of [
      "",
      "x",
      `${payload}.`,
      `${forged}.${signature}`,
      `${token}x`,
      "é".repeat(9_000),
    ])
      await expected({ _token: bad }, /Nothing has been sent/);
    site.wait(73 * 3_600);
    await expected({ _token: token }, /Nothing has been sent/);
    assert.equal((await submissions()).total, 0);
  });

  it("whose trap was filled in look accepted, are marked and not mailed", async () => {
    const token = await site.token();
    site.wait(5);
    const answer = await site.post({ ...typed, _token: token, _url: "https://spam.example" });
    assert.equal(answer.status, 303);
    assert.equal((await submissions("?spam=false")).total, 0);
    assert.equal((await submissions("?spam=true")).total, 1);
    assert.equal(site.mails.length + site.submitted.length, 0);
  });

  it("are limited per address, and keep what was typed", async () => {
    const token = await site.token();
    site.wait(5);
    const send = () => site.post({ ...typed, _token: token });
    for (let count = 0; count < 10; count += 1) assert.equal((await send()).status, 303);
    const answer = await send();
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
    assert.match(await answer.text(), /value="Ada"/);
  });

  it("never fail on hostile input", async () => {
    const token = await site.token();
    site.wait(5);
    const send = (body: BodyInit, type: string, path = "/forms/contact") =>
      site.fetch(path, { method: "POST", body, headers: { "content-type": type } });
    const form = "application/x-www-form-urlencoded";
    const json = "application/json";
    const cases: [number, Promise<Response>][] = [
      [413, send("a=".padEnd(300_000, "x"), form)],
      [400, send("{", json)],
      [400, send("[]", json)],
      [
        422,
        send(`{"__proto__":{"name":"x"},"constructor":1,"_token":${JSON.stringify(token)}}`, json),
      ],
      [422, send(`__proto__=1&name=a&name=b&_token=${token}`, form)],
      [400, send("%ff".repeat(3) + "\u0000" + "a&".repeat(2_000), form)],
      [400, send("nothing", "multipart/form-data; boundary=x")],
      [400, send("nothing", "multipart/form-data")],
      [415, send("a", "text/plain")],
      [422, send("", form)],
      [404, send("a=b", form, "/forms/__proto__")],
      [404, send("a=b", form, "/forms/contacts")],
      [404, send("a=b", form, "/forms/..%2fcontact")],
    ];
    for (const [at, [status, answer]] of cases.entries())
      assert.equal((await answer).status, status, String(at));
  });

  it("keep headers of mails apart from values", async () => {
    const token = await site.token();
    site.wait(5);
    const name = "x\r\nBcc: a@evil.example";
    assert.equal((await site.post({ ...typed, name, _token: token })).status, 303);
    await until(() => site.mails.length === 1);
    assert.equal(site.mails[0]?.subject, "Message from x Bcc: a@evil.example");
    assert.deepEqual(site.mails[0]?.to, ["office@example.org"]);
  });

  it("are listed, exported and deleted with the permission, and audited", async () => {
    const token = await site.token();
    site.wait(5);
    await site.post({ ...typed, name: "=cmd|' /C calc'!A0", message: 'a "b",c', _token: token });
    const author = await site.as("author");
    const { items } = await author.json(200, "GET", "/admin/api/forms/contact/submissions?q=CMD");
    const { id } = items[0];
    const one = `/admin/api/forms/contact/submissions/${id}`;
    assert.equal((await author.json(200, "GET", one)).id, id);
    const csv = await (await author.send("GET", "/admin/api/forms/contact/submissions.csv")).text();
    assert.match(csv, /"'=cmd\|' \/C calc'!A0"/);
    assert.match(csv, /"a ""b"",c"/);
    const forms = await author.json(200, "GET", "/admin/api/forms");
    assert.equal(forms.items[0].total, 1);
    await author.json(403, "DELETE", one);
    const editor = await site.as("editor");
    await editor.json(200, "DELETE", one);
    await editor.json(404, "DELETE", one);
    await author.json(404, "GET", "/admin/api/forms/contact/submissions/..%2f..%2fx");
    await author.json(400, "GET", "/admin/api/forms/contact/submissions?limit=lots");
    assert.equal((await site.fetch(one)).status, 401);
    const events = (await site.audit()).map(({ event }) => event);
    assert.ok(events.includes("submission.delete") && events.includes("submission.export"));
  });

  it("report mistakes in their files with line and key, and follow them", async () => {
    const admin = await site.as("admin");
    const problems = async () => {
      const { items } = await admin.json(200, "GET", "/admin/api/problems");
      return items.filter(({ code }: { code: string }) => code === "ERR_FORMS_FILE");
    };
    assert.deepEqual(await problems(), []);
    await site.write("forms/contact.yaml", contact.replace("type: email,", "type: emial,"));
    await until(async () => (await problems()).length === 2);
    const found = await problems();
    assert.deepEqual(
      found.map(({ sourcePath, line, key }: Record<string, unknown>) => [sourcePath, line, key]),
      [
        ["forms/contact.yaml", 3, "mail.reply_to"],
        ["forms/contact.yaml", 7, "fields.email.type"],
      ],
    );
    await until(
      async () => !(await (await site.fetch("/contact")).text()).includes('name="email"'),
    );
    await site.write("forms/contact.yaml", "fields: [\n");
    await until(async () => (await site.fetch("/api/forms/contact")).status === 404);
    assert.equal((await site.fetch("/contact")).status, 200);
    await rm(join(site.root, "forms/contact.yaml"));
    await until(async () => (await problems()).length === 0);
  });

  it("report a page of thanks that visitors cannot open", async () => {
    const admin = await site.as("admin");
    const problems = async () => {
      const { items } = await admin.json(200, "GET", "/admin/api/problems");
      return items.filter(({ key }: { key?: string }) => key === "thanks");
    };
    assert.deepEqual(await problems(), []);
    await site.write("content/04.thanks/default.md", "---\ntitle: Thanks\npublished: false\n---\n");
    await until(async () => (await problems()).length === 1);
    const [{ sourcePath, code, message }] = await problems();
    assert.deepEqual([sourcePath, code], ["forms/contact.yaml", "ERR_FORMS_FILE"]);
    assert.match(message, /"\/thanks"/);
    await site.write("forms/contact.yaml", contact.replace("/thanks", "/nowhere"));
    await until(async () => (await problems())[0]?.message.includes('"/nowhere"'));
    await site.write("forms/contact.yaml", contact.replace("thanks: /thanks\n", ""));
    await until(async () => (await problems()).length === 0);
  });

  it("accept the token of another process with the same secret", async () => {
    const token = await site.token();
    const secret = await readFile(join(site.root, ".dune/auth-secret"), "utf8").catch(() => null);
    assert.ok(secret === null || secret.length > 30);
    await site.site.close();
    const second = await bootForms({ root: site.root, files: {} });
    try {
      second.wait(5);
      assert.equal((await second.post({ ...typed, _token: token })).status, 303);
    } finally {
      await second.close();
    }
  });
});
