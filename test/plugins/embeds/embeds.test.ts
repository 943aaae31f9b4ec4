import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useChromium } from "../../support/services.js";

/** A provider of embeds on a port of this machine. */
class LocalProvider {
  requests: string[] = [];
  status = 200;
  title = 'Sea & "sun"';
  html = (): string => `<iframe width="5" src="http://${this.host}/frame/1?a=1&amp;b=2"></iframe>`;
  readonly #server: Server = createServer((req, res) => {
    const url = req.url ?? "";
    if (url.startsWith("/frame")) return void res.end("<!doctype html><p id=inside>Inside</p>");
    this.requests.push(url);
    res.statusCode = this.status;
    res.end(
      JSON.stringify({
        type: "video",
        title: this.title,
        html: this.html(),
        width: 800,
        height: "450",
      }),
    );
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

describe("embeds", () => {
  let provider: LocalProvider;
  let site: TestSite;
  let now = Date.parse("2026-11-20T12:00:00Z");
  beforeEach(async () => {
    provider = await new LocalProvider().listen();
  });
  afterEach(async () => {
    await site.close();
    await provider.close();
  });

  const boot = async (embeds: unknown[] | undefined, body: string): Promise<void> => {
    const content = embeds === undefined ? {} : { content: { markdown: { embeds } } };
    site = await bootSite({
      settings: { system: { ...content, typography: { orphan_protection: false } } },
      clock: { now: () => now },
      files: {
        "site.yaml": "title: Site\n",
        "content/a/default.md": `---\ntitle: A\n---\n${body}\n`,
      },
    });
  };
  const tube = (more: object = { private: true }): unknown => ({
    name: "tube",
    hosts: [provider.host],
    endpoint: `http://${provider.host}/oembed`,
    ...more,
  });
  const html = async (): Promise<string> => {
    const answer = await site.fetch("/api/pages/a");
    return ((await answer.json()) as { html: string }).html;
  };
  const policy = async (): Promise<string> =>
    (await site.fetch("/a")).headers.get("content-security-policy") ?? "";

  it("are off by default: an address is a link, a shortcode is text, frames are not allowed", async () => {
    await boot(
      undefined,
      '{{ embed "https://youtu.be/aaaaaaaaaaa" }}\n\nhttps://youtu.be/aaaaaaaaaaa',
    );
    assert.match(await html(), /^<p>\{\{ embed .*<p><a href="https:\/\/youtu\.be/s);
    assert.match(await policy(), /frame-src 'self';/);
    const [problem] = site.site.use("markdown").problems();
    assert.match(problem?.message ?? "", /embeds are off.*content\.markdown\.embeds/);
  });

  it("show the frame of a provider, lazily and with a title, and allow its host alone", async () => {
    await boot([tube()], `http://${provider.host}/w/1`);
    const shown = await html();
    assert.match(
      shown,
      /^<figure class="embed embed-tube"><iframe src="http:\/\/127\.0\.0\.1:\d+\/frame\/1\?a=1&#x26;b=2" title="Sea &#x26; &#x22;sun&#x22;" width="800" height="450" loading="lazy"/,
    );
    assert.match(
      await policy(),
      new RegExp(`frame-src 'self' https://${provider.host} http://${provider.host};`),
    );
    assert.deepEqual(provider.requests, [
      `/oembed?url=${encodeURIComponent(`http://${provider.host}/w/1`)}&format=json`,
    ]);
  });

  it("ask the provider once a day", async () => {
    await boot(
      [tube()],
      `{{ embed "http://${provider.host}/w/1" }} and\n\nhttp://${provider.host}/w/1`,
    );
    await html();
    await site.fetch("/a");
    assert.equal(provider.requests.length, 1);
    now += 25 * 3600 * 1000;
    provider.title = "Renamed";
    assert.match(await html(), /title="Renamed"/);
    assert.match(await (await site.fetch("/a")).text(), /title="Renamed"/);
    assert.equal(provider.requests.length, 2);
  });

  it("show a link while the provider fails, and ask again after ten minutes", async () => {
    provider.status = 500;
    await boot([tube()], `http://${provider.host}/w/1`);
    assert.match(await html(), /^<p class="?embed-link"?><a href="http:\/\/127[^>]*>http:\/\/127/);
    provider.status = 200;
    assert.doesNotMatch(await html(), /iframe/);
    now += 11 * 60 * 1000;
    assert.match(await html(), /<iframe/);
  });

  it("do not call private addresses unless the provider is marked as private", async () => {
    await boot([tube({})], `{{ embed "https://${provider.host}/w/1" }}`);
    assert.match(await html(), /embed-link/);
    assert.deepEqual(provider.requests, []);
  });

  it("show a link for answers without a frame on a host of the provider", async () => {
    provider.html = () =>
      '<iframe src="https://elsewhere.example/"></iframe><script>alert(1)</script>';
    await boot([tube()], `http://${provider.host}/w/1`);
    const shown = await html();
    assert.match(shown, /embed-link/);
    assert.doesNotMatch(shown, /iframe|script|elsewhere/);
  });

  it("leave other addresses, and addresses in a text, as they are", async () => {
    await boot(
      ["youtube"],
      'https://other.example/x\n\nSee https://youtu.be/aaaaaaaaaaa there.\n\n{{ embed "https://other.example/x" }}',
    );
    const shown = await html();
    assert.doesNotMatch(shown, /iframe|embed-link/);
    assert.match(shown, /\{\{ embed/);
    assert.match(
      site.site.use("markdown").problems()[0]?.message ?? "",
      /no allowed provider \(youtube\)/,
    );
  });

  it("use addresses without cookies, and need no answer when the author gives a title", async () => {
    const cases = [
      [
        "https://www.youtube.com/watch?v=abcdefghijk&t=90s",
        "https://www.youtube-nocookie.com/embed/abcdefghijk?start=90",
      ],
      ["https://youtu.be/abcdefghijk", "https://www.youtube-nocookie.com/embed/abcdefghijk"],
      ["https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
      [
        "https://codepen.io/team/pen/abcDEF",
        "https://codepen.io/team/embed/abcDEF?default-tab=result",
      ],
      ["https://mastodon.social/@ada/1234", "https://mastodon.social/@ada/1234/embed"],
    ] as const;
    const body = cases.map(([url]) => `{{ embed "${url}" title="T" }}`).join("\n\n");
    await boot(["youtube", "vimeo", "codepen", "mastodon"], body);
    const frames = [...(await html()).matchAll(/ src="([^"]+)"/g)].map(([, src]) => src);
    assert.deepEqual(
      frames,
      cases.map(([, frame]) => frame),
    );
    assert.match(
      await policy(),
      /frame-src 'self' https:\/\/www\.youtube-nocookie\.com https:\/\/player\.vimeo\.com https:\/\/codepen\.io https:\/\/mastodon\.social;/,
    );
  });

  it("reject a provider without endpoint, and an unknown name", async () => {
    await boot([], "");
    for (const embeds of [[{ name: "tube", hosts: ["a.example"] }], ["youtub"]]) {
      const settings = { system: { content: { markdown: { embeds } } } };
      await assert.rejects(bootSite({ settings }), /content\.markdown\.embeds/);
    }
    await assert.rejects(
      bootSite({ files: { "site.yaml": "title: T\nmarkdown: { embeds: [youtube] }\n" } }),
      /move it to `content\.markdown\.embeds` of system\.yaml/,
    );
  });

  it("are shown by a browser under the policy of the site", async function () {
    const browser = await useChromium(this);
    await boot([tube()], `http://${provider.host}/w/1`);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${site.url}/a`);
    const frame = page.frameLocator(".embed iframe");
    assert.equal(await frame.locator("#inside").textContent(), "Inside");
    assert.deepEqual(errors, []);
    await page.close();
  });
});
