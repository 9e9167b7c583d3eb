/** The grammar of the language for error messages. The order of alternatives and what is decided by prediction are those of cel-go's parser. */
import { Predictor } from './prediction.ts';
import { choice, continuation, Network, optional, repeated, repeatedOnce, rule, sequence, token } from './transition-network.ts';

export interface Grammar {
  readonly network: Network;
  readonly predictor: Predictor;
}

/** Built when a syntax error must be explained for the first time. */
export function celGrammar(): Grammar {
  grammar ??= made();
  return grammar;
}

let grammar: Grammar | undefined;

function made(): Grammar {
  const network = new Network(rules);
  return { network, predictor: new Predictor(network) };
}

const trailingComma = optional(token(','));
const leadingDot = optional(token('.'));
const callArguments = sequence(optional(rule('exprList')), token(')'));

const rules = {
  start: sequence(rule('expr'), token('end')),
  expr: sequence(rule('conditionalOr'), optional(sequence(token('?'), rule('conditionalOr'), token(':'), rule('expr')))),
  conditionalOr: sequence(rule('conditionalAnd'), repeated([sequence(token('||'), rule('conditionalAnd'))], false)),
  conditionalAnd: sequence(rule('relation'), repeated([sequence(token('&&'), rule('relation'))], false)),
  relation: sequence(rule('calc'), repeated([continuation(1, token('==', '!=', 'in', '<', '<=', '>=', '>'), rule('relation', 2))], true)),
  calc: sequence(rule('unary'), repeated([continuation(2, token('*', '/', '%'), rule('calc', 3)), continuation(1, token('-', '+'), rule('calc', 2))], true)),
  unary: choice([rule('member'), sequence(repeatedOnce(token('!'), false), rule('member')), sequence(repeatedOnce(token('-'), true), rule('member'))]),
  member: sequence(
    rule('primary'),
    repeated(
      [
        continuation(3, token('.'), optional(token('?')), rule('escapeIdent')),
        continuation(2, token('.'), token('identifier'), token('('), callArguments),
        continuation(1, token('['), optional(token('?')), rule('expr'), token(']')),
      ],
      true,
    ),
  ),
  primary: choice([
    sequence(leadingDot, token('identifier')),
    sequence(leadingDot, token('identifier'), token('('), callArguments),
    sequence(token('('), rule('expr'), token(')')),
    sequence(token('['), optional(rule('listInit')), trailingComma, token(']')),
    sequence(token('{'), optional(rule('mapInitializerList')), trailingComma, token('}')),
    sequence(
      leadingDot,
      token('identifier'),
      repeated([sequence(token('.'), token('identifier'))], false),
      token('{'),
      optional(rule('fieldInitializerList')),
      trailingComma,
      token('}'),
    ),
    rule('literal'),
  ]),
  exprList: sequence(rule('expr'), repeated([sequence(token(','), rule('expr'))], false)),
  listInit: sequence(rule('optExpr'), repeated([sequence(token(','), rule('optExpr'))], true)),
  fieldInitializerList: sequence(
    rule('optField'),
    token(':'),
    rule('expr'),
    repeated([sequence(token(','), rule('optField'), token(':'), rule('expr'))], true),
  ),
  optField: sequence(optional(token('?')), rule('escapeIdent')),
  mapInitializerList: sequence(rule('optExpr'), token(':'), rule('expr'), repeated([sequence(token(','), rule('optExpr'), token(':'), rule('expr'))], true)),
  escapeIdent: choice([token('identifier'), token('escaped identifier')], true),
  optExpr: sequence(optional(token('?')), rule('expr')),
  literal: choice([
    sequence(optional(token('-')), token('int')),
    token('uint'),
    sequence(optional(token('-')), token('float')),
    token('string'),
    token('bytes'),
    token('true'),
    token('false'),
    token('null'),
  ]),
};
