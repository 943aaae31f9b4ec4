import assert from "node:assert/strict";
import { isSecretName, withoutSecrets } from "#lib/secrets";

describe("secrets in logs", () => {
  for (const name of [
    "token",
    "accessToken",
    "api_token",
    "apiKey",
    "x-api-key",
    "clientSecret",
    "password",
    "db_passwd",
    "authorization",
    "Cookie",
    "set-cookie",
    "privateKey",
    "x-site-user",
  ]) {
    it(`are fields named ${name}`, () => assert.equal(isSecretName(name), true));
  }
  for (const name of ["path", "tokens", "key", "passwordless", "secretary", "cookies", "author"]) {
    it(`are not fields named ${name}`, () => assert.equal(isSecretName(name), false));
  }

  for (const [text, expected] of [
    ["https://ada:zcanaryz@host/x", "https://[redacted]@host/x"],
    ["redis://:zcanaryz@host:6379", "redis://[redacted]@host:6379"],
    ["Authorization: Bearer zcanaryz123", "Authorization: Bearer [redacted]"],
    [
      "/auth/callback?code=zcanaryz&state=zcanaryz",
      "/auth/callback?code=[redacted]&state=[redacted]",
    ],
    ["/health?detailed=true&token=zcanaryz", "/health?detailed=true&token=[redacted]"],
    ['{"access_token":"zcanaryz","a":1}', '{"access_token":"[redacted]","a":1}'],
    [
      `/admin/reset/once_01JZCANARYZZCANARYZZCANARY_${"zcanaryz-_A".repeat(4).slice(0, 43)}/x`,
      "/admin/reset/[redacted]/x",
    ],
    ["password=zcanaryz", "password=[redacted]"],
    ["the token zcanaryz123 is wrong", "the token [redacted] is wrong"],
    ["token ZcanaryzQwErTyUiOp", "token [redacted]"],
    ["invalid token: zcanaryz123", "invalid token: [redacted]"],
    ["authorization: token zcanaryz", "authorization: token [redacted]"],
    ["authorization=basic authentication", "authorization=basic [redacted]"],
    ["Bearer zcanaryz", "Bearer [redacted]"],
    ["Bearer /canary/zz.md", "Bearer [redacted]"],
    ["  token: zcanaryz", "  token: [redacted]"],
    ["at line 3:\n  webhook_token: zcanaryz", "at line 3:\n  webhook_token: [redacted]"],
    ["wrong password: zcanaryz", "wrong password: [redacted]"],
    ["secret: /canary/zz", "secret: [redacted]"],
    ["code: 4/0zcanaryz", "code: [redacted]"],
    ["code=123456", "code=[redacted]"],
    ['{"code":"zcanaryz","state":"zcanaryz"}', '{"code":"[redacted]","state":"[redacted]"}'],
  ] as const) {
    it(`are removed from ${text}`, () => assert.equal(withoutSecrets(text), expected));
  }

  for (const text of [
    "/blog/hello",
    "/blog/once_upon_a_time",
    "content.rebuilt",
    "Error: connect ECONNREFUSED 127.0.0.1:8000",
    "12 pages in 3.5 ms",
    "https://example.org/a?page=2&sort=date",
    "01.blog/post.md:3:1  expected: a date",
    "user@example.org",
    "ParseError: Unexpected token \n /srv/site/plugins/hello.ts:3:12",
    "Unexpected token undefined",
    "Unexpected token: punc (})",
    "Unexpected token content/01.home/default.md",
    "Unexpected token createTestSite in hello.ts",
    "unexpected token: ./plugins/hello1.ts",
    "invalid token: expired",
    "invalid signature: mismatch",
    "basic authentication is required",
    "bearer credentials are missing",
    "password: expected at least 12 characters",
    "exit code: 1",
    "status code: 500",
    "exited with code=12",
    "failed, code: ENOENT",
    "code=ERR_CONTENT_YAML",
    "state: running",
  ]) {
    it(`are not found in ${text}`, () => assert.equal(withoutSecrets(text), text));
  }

  it("are found quickly, however long and odd a text is", () => {
    for (const part of [
      "a://",
      "token=",
      "bearer ",
      ";code:",
      "-api_",
      "://a@",
      "= : ",
      "token aB",
      "token: a/",
      "authorization ",
    ])
      withoutSecrets(part.repeat(4_096 / part.length));
  });
});
