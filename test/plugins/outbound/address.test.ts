import assert from "node:assert/strict";
import fc from "fast-check";
import { addressKind } from "../../../plugins/outbound/target.js";

const table = {
  never: [
    "169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "::a9fe:a9fe",
    "::ffff:0:169.254.169.254",
    "2001:0:0:0:0:0:5601:5601",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "100.100.100.200",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "ff02::1",
    "255.255.255.255",
    "not an address",
  ],
  private: [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "198.19.0.1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "fec0::1",
    "fd12:3456::1",
    "fe00::5efe:7f00:1",
    "2001:db8::1",
  ],
  public: [
    "1.1.1.1",
    "172.32.0.1",
    "2606:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "168.63.129.15",
  ],
} as const;

describe("addressKind", () => {
  for (const [kind, addresses] of Object.entries(table)) {
    for (const address of addresses) {
      it(`${address} is ${kind}`, () => assert.equal(addressKind(address), kind));
    }
  }

  it("classifies a mapped address like its IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const mapped = new URL(`http://[::ffff:${address}]/`).hostname.slice(1, -1);
        assert.equal(addressKind(mapped), addressKind(address));
      }),
    );
  });
});
