/** `move check`: whether a stage can be put onto data in another region, before anything is deployed there. */

import type { Command } from 'commander';
import { operatorCall, operatorRegion } from '../../../shared/data/aws/operator-access.ts';
import { type Alone, type PerformAlone, type Report, requireOptions } from '../command.ts';
import { readStage, type StageFlags, settingsOption, stageOption } from '../stage-settings.ts';
import { columns } from '../terminal.ts';
import { type Ask, checkMove } from './check-move.ts';

const ask: Ask = async (service, action, input) => (await operatorCall(service))(action, input);

async function check({ terminal }: Alone, flags: StageFlags): Promise<Report> {
  const region = await operatorRegion();
  const checks = await checkMove(readStage(flags), region, ask);
  const wrong = checks.filter(({ problem }) => problem !== null).length;
  const rows = checks.map(({ what, problem }) => [problem === null ? 'yes' : 'no', what, problem ?? '']);
  return {
    json: { region, checks },
    text: columns(['READY', 'WHAT', 'PROBLEM'], rows, terminal),
    problem:
      wrong === 0
        ? undefined
        : `${wrong} of ${checks.length} are not ready in ${region}: deploy nothing there.`,
  };
}

export function addMoveCommands(program: Command, perform: PerformAlone): void {
  const move = program.command('move').description('a stage on data in another region');
  requireOptions(
    move.command('check').description('what a deployment in this region would need, and whether it is there'),
    stageOption(),
  )
    .addOption(settingsOption())
    .action(perform<StageFlags>(check));
}
