import { ServerInTest } from '../../test/support/server-in-test.ts';
import { transportContract } from '#client/transport-contract.ts';

transportContract('the transport in process', async () => {
  const server = await ServerInTest.start();
  return { transport: server.server.api.transport, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});
