// Which queues a flow may use: a hand of cards dealt from the deck of queues, always the same for the same flow.
// Two flows rarely share their whole hand, so a greedy one leaves the others a queue.

/** Distinct queue numbers, `handSize` of them. */
export function dealHand(flow: string, deckSize: number, handSize: number): readonly number[] {
  let entropy = hash64(flow);
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, deckSize); dealt++) {
    const left = BigInt(deckSize - dealt);
    hand.push(nthFree(Number(entropy % left), hand));
    entropy /= left;
  }
  return hand;
}

/** The card at `position` among those that are not in the hand yet. */
function nthFree(position: number, taken: readonly number[]): number {
  let card = position;
  for (const other of [...taken].sort((a, b) => a - b)) if (other <= card) card += 1;
  return card;
}

const mask = 0xffff_ffff_ffff_ffffn;

/** FNV-1a. Not secret: a client that aims at the queues of another can also simply send more. */
function hash64(text: string): bigint {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100_0000_01b3n) & mask;
  return hash;
}
