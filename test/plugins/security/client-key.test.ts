import assert from "node:assert/strict";
import { clientKey } from "../../../plugins/security/rate-limit.js";

describe("clientKey", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ];
  for (const [ip, key] of cases) {
    it(`returns ${key} for ${ip}`, () => assert.equal(clientKey(ip), key));
  }
});
