// Loaded into a server: SIGUSR2 puts its clock an hour forward, the next one back.
let offset = 0;
const { now } = Date;
Date.now = () => now() + offset;
globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }
};
process.on("SIGUSR2", () => {
  offset = offset === 0 ? 3_600_000 : 0;
});
