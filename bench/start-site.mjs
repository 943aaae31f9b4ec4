// `site serve` as an installed package runs it: the compiled command, without a look at the sources.
import { main } from "../dist/kernel/cli/main.js";
import { house } from "../dist/plugins/main.js";

await main(process.argv, house);
