//! What `scripts/bench` concludes from numbers: whether the time model is accepted, below which time no program
//! comes, and how far predicted programs are from it.

use chain_tests::{Call, root};

/// Runs lines of Python that may use the modules of `scripts/benchmark`.
fn python(lines: &str) {
    let start = "import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, 'scripts')\n";
    let call = Call::new("python3").within(&root()).args(["-c", &format!("{start}{lines}")]);
    assert_eq!(call.run().succeeded().stdout, "", "{lines}");
}

#[test]
fn ratios_of_the_model_may_differ_by_a_factor() {
    python(
        "from benchmark import cycles\n\
         rows = [{'row': str(n), 'ratio': 2.0, 'model': model} for n, model in enumerate([1.34, 2.99, 1.33, 3.01])]\n\
         assert [miss.split(':')[0] for miss in cycles.misses(rows)] == ['2', '3'], cycles.misses(rows)\n",
    );
}

/// Neighbours may change places, and so may those with equal measured ratios and their neighbours, but no others. Rows
/// of one program count together.
#[test]
fn the_order_of_the_model_may_differ_between_neighbours() {
    python(
        "from benchmark import cycles\n\
         def faults(**programs):\n\
         \x20   pairs = [(name, pair) for name, pairs in programs.items() for pair in pairs]\n\
         \x20   return cycles.inversions([{'program': n, 'ratio': r, 'model': m} for n, (r, m) in pairs])\n\
         assert not faults(a=[(1, 1)], b=[(2, 2)], c=[(3, 3)])\n\
         assert not faults(a=[(1, 2)], b=[(2, 1)], c=[(3, 3)])\n\
         assert not faults(a=[(1, 1)], b=[(2, 3)], c=[(2, 4)], d=[(3, 2)])\n\
         assert faults(a=[(1, 3)], b=[(2, 2)], c=[(3, 1)]) == ['order: c should be above a, with others between them']\n\
         assert not faults(a=[(1, 1), (4, 4)], b=[(3, 3)], c=[(5, 5)])\n\
         assert len(faults(a=[(1, 9)], b=[(2, 2)], c=[(3, 3)], d=[(4, 4)])) == 2\n",
    );
}

/// The sizes of a program are those that its head names, and every program has a floor for its default sizes.
#[test]
fn programs_have_floors_for_their_default_sizes() {
    python(
        "import pathlib, tempfile\n\
         from benchmark import floor, sass\n\
         target = pathlib.Path('targets/h200.json').resolve()\n\
         for path in sorted(pathlib.Path('benches').glob('*/*_hand.cu')):\n\
         \x20   source = (path.parent / f'{path.parent.name}.c').resolve()\n\
         \x20   sizes = floor.named(source, sass.default_sizes(path.parent.name))\n\
         \x20   with tempfile.TemporaryDirectory() as folder:\n\
         \x20       microseconds, dominant = floor.of_source(source, sizes, target, pathlib.Path(folder))\n\
         \x20   assert 0.1 < microseconds < 10000 and dominant != '-', (source, sizes, microseconds, dominant)\n",
    );
}

#[test]
fn every_kernel_of_polybench_has_a_size() {
    python(
        "import pathlib\n\
         from benchmark import predicted\n\
         jobs = predicted.jobs([])\n\
         files = {job.source for job in jobs if job.name.startswith('polybench/')}\n\
         assert files == set(pathlib.Path('tests/kernels/polybench').resolve().glob('*.c')), files\n\
         assert all(job.source.exists() for job in jobs)\n\
         assert len(jobs) == len(files) + len({path.parent for path in pathlib.Path('benches').glob('*/*_hand.cu')})\n",
    );
}

/// Two products of a matrix and a vector; each has a thread for each element, in blocks of 128.
#[test]
fn a_prediction_is_compared_with_the_floor() {
    python(
        "import pathlib\n\
         from benchmark import predicted\n\
         source, sizes = pathlib.Path('tests/kernels/polybench/mvt.c').resolve(), {'n': 256}\n\
         job = predicted.Job('mvt', source, sizes)\n\
         row = predicted.predict(job, pathlib.Path('targets/h100.json').resolve())\n\
         assert [row[what] for what in ['launches', 'blocks', 'blocks with work']] == [2, 16, 16], row\n\
         assert row['threads'] == 544 and row['touched sectors'] >= row['sectors'] > row['requests'] > 0, row\n\
         launching = sum(kernel['launching µs'] for kernel in row['kernels'])\n\
         assert abs(row['launching'] - 100 * launching / row['µs']) < 1e-9 and 1 < row['launching'] < 100, row\n\
         assert len(row['kernels']) == 2 and row['floor dominant'] == 'a launch', row\n\
         assert 1 < row['lost'] < 100 and abs(row['lost'] - row['µs'] / row['floor µs']) < 1e-9, row\n",
    );
}

/// A page's tables are replaced where it has a place for them, and else it stays as it is.
#[test]
fn tables_are_written_into_their_pages() {
    python(
        "import pathlib, tempfile\n\
         from benchmark import predicted, table\n\
         page = pathlib.Path(tempfile.mkdtemp()) / 'page.md'\n\
         page.write_text('# A\\n\\n<!-- bench: made -->\\nold | \\\\1\\n<!-- end -->\\n\\nB\\n<!-- bench: t -->\\n<!-- end -->\\n')\n\
         text = table.markdown('name', ['launches', 'lost'], [['a', 1, '-'], ['b', 2, '3.5']])\n\
         assert table.renew(page, {'made': 'new \\\\1\\n', 't': text})\n\
         rows = '| name | launches | lost |\\n| --- | --- | --- |\\n| a | 1 | – |\\n| b | 2 | 3.5 |\\n'\n\
         expected = '# A\\n\\n<!-- bench: made -->\\n\\nnew \\\\1\\n\\n<!-- end -->\\n\\nB\\n<!-- bench: t -->\\n\\n' + rows\n\
         expected += '\\n<!-- end -->\\n'\n\
         assert page.read_text() == expected, page.read_text()\n\
         assert not table.renew(page, {'made': 'x', 'none': 'y'}) and page.read_text() == expected\n\
         for page, parts in [('predicted', ['made', 'programs', 'causes', 'measured']), ('model', ['made', 'counts', 'times'])]:\n\
         \tassert all(f'<!-- bench: {part} -->' in pathlib.Path(f'benchmarks/{page}.md').read_text() for part in parts)\n\
         numbers = [predicted.large(number) for number in [0, 99999, 999999, 1e6, 2.55e12]]\n\
         assert numbers == ['0', '99,999', '999,999', '1 M', '2.55 T'], numbers\n",
    );
}

/// Lost time is attributed to what takes it, and the page says what the numbers beside it say.
#[test]
fn causes_are_those_of_the_numbers() {
    python(
        "import json, pathlib\n\
         from benchmark import predicted\n\
         kernel = {'launches': 10, 'blocks': 10, 'threads': 1, 'µs': 30, 'launching µs': 10, 'dominant': 'launches'}\n\
         wide = {**kernel, 'blocks': 99999, 'threads': 256, 'µs': 70, 'dominant': 'DRAM bandwidth'}\n\
         found = predicted.of_causes({'p': {'µs': 100, 'floor µs': 50, 'kernels': [kernel, wide]}}, 132)\n\
         lost = [line.split(' | ')[:2] for line in found.splitlines()[2:]]\n\
         wanted = [['| Device memory moves more than is compulsory', '0.03']]\n\
         assert lost == wanted + [['| Launches', '0.01'], ['| Launches of a single thread', '0.01']], lost\n\
         few = {**wide, 'blocks': 320, 'dominant': 'memory latency'}\n\
         assert predicted.cause(few, 132) == 'Fewer than 8 warps for each multiprocessor'\n\
         numbers = json.loads(pathlib.Path('benchmarks/predicted.json').read_text())\n\
         rows = {name: row | numbers['programs'][name] for name, row in numbers['rows'].items()}\n\
         target = json.loads(pathlib.Path(f'targets/{numbers[\"target\"]}.json').read_text())\n\
         causes = predicted.of_causes(rows, target['multiprocessors'])\n\
         assert causes in pathlib.Path('benchmarks/predicted.md').read_text(), causes\n",
    );
}

/// The table of times on a GPU has the prediction beside them, where there is one.
#[test]
fn measured_times_stand_beside_predicted_ones() {
    python(
        "from benchmark import gpu, predicted\n\
         seconds = predicted.seconds()\n\
         assert set(predicted.sizes_for_gpu()) - set(seconds) == {'dot', 'prefix_sum'}, seconds\n\
         row = {'generated, without transfers': 0.5, 'output': 'equal'}\n\
         assert gpu.cells(row, 0.25) == ['-', '-', '-', '0.50 (0.2500 : 0.5000)', 'equal'], gpu.cells(row, 0.25)\n\
         assert gpu.cells(row) == ['-', '-', '-', '-', 'equal']\n",
    );
}
