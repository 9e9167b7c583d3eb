import type { BuildController } from '#app/loops/registration.ts';
import { roleAggregation } from '#controllers/role-aggregation-controller.ts';

export const buildClusterRoleAggregation: BuildController = ({ server: { reads }, loops, client }) =>
  roleAggregation({ ...loops, client, sources: reads.sources });
