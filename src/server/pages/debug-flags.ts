// /debug/flags: the one setting that can be changed while the server runs, how much it logs.
import type { Handler } from '#server/front/exchange.ts';

/** `-v`: the higher, the more is logged. */
export interface Verbosity {
  value: number;
}

const index = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`;

export const debugFlagsIndex: Handler = async (exchange) => exchange.send(200, 'text/html; charset=utf-8', index);

export function verbosityHandler(verbosity: Verbosity): Handler {
  return async (exchange) => {
    exchange.setHeader('x-content-type-options', 'nosniff');
    if (exchange.method !== 'PUT') return exchange.send(406, 'text/plain', 'unsupported http method\n');
    const text = (await exchange.readBody(1024)).toString();
    if (!/^\d+$/.test(text)) return exchange.send(400, 'text/plain', `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax\n`);
    verbosity.value = Number(text);
    exchange.send(200, 'text/plain', `successfully set klog.logging.verbosity to ${text}\n`);
  };
}
