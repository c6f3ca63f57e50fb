#!/bin/sh
# How strong the searches are: the series of matches behind bench/RESULTS.md. Each has a record file in bench/search/out (or OUT) and
# goes on where it was ended. `strength.sh NAME…` plays some of them.
set -eu
cd "$(dirname "$0")/../.."
senet=${SENET:-target/release/senet}
out=${OUT:-bench/search/out}
mkdir -p "$out"

wanted="${*:-uct mcts batch playouts playouts-reversi playouts-draughts tic-tac-toe-random tic-tac-toe-uct}"
games="--game connect-four --game breakthrough-8x8 --game reversi-8x8 --game english-draughts"

duel() {
    name=$1
    shift
    case " $wanted " in *" $name "*) ;; *) return 0 ;; esac
    "$senet" duel "$@" --jobs 2 --start-clock 0.5 --record "$out/$name.jsonl" --json | tee "$out/$name.json"
}

duel uct uct monte-carlo --game connect-four --game breakthrough-6x6 --matches 100 --seconds 0.2
# shellcheck disable=SC2086
{
    duel mcts mcts uct $games --matches 100 --seconds 0.2
    duel batch mcts mcts:batch=off $games --matches 100 --seconds 0.2
}
# 400 matches together, fewer of those that take long.
few="mcts:batch=off,playouts=2000 uct:playouts=2000 --seconds 60"
# shellcheck disable=SC2086
{
    duel playouts $few --game connect-four --game breakthrough-8x8 --matches 160
    duel playouts-reversi $few --game reversi-8x8 --matches 60
    duel playouts-draughts $few --game english-draughts --matches 20
}
duel tic-tac-toe-random mcts random --game tic-tac-toe --matches 200 --seconds 0.2
duel tic-tac-toe-uct mcts uct --game tic-tac-toe --matches 100 --seconds 0.2
