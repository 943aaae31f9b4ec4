// `site serve` as in an installed package: the compiled command, without checking the sources.
import { main } from "../../dist/kernel/cli/main.js";
import { firstParty } from "../../dist/plugins/main.js";

await main(process.argv, firstParty);
