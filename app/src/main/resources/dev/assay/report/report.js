/* Draws the charts from the JSON document in the page, colours the tables and offers the document for download. */
(function () {
  'use strict';

  var OUTSIDE = 'outside the server';
  var NAMED_SHARE_MIN = 0.005;
  var EVENTS_MAX = 7;
  var CHANGES_MAX = 6;
  var ROW_HEIGHT = 46;
  var NARROW = 560;
  var colours = window.assayColours;
  var text = document.getElementById('result').textContent;
  var result = JSON.parse(text);
  var charts = [];

  document.querySelectorAll('[data-event]').forEach(function (element) {
    element.style.background = colours.of(element.getAttribute('data-event'));
  });

  var link = document.getElementById('download');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(result, null, 2) + '\n'], { type: 'application/json' }));
  link.download = (result.experiment || 'diagnosis').replace(/[^A-Za-z0-9_-]+/g, '-') + '.json';
  link.hidden = false;

  /* On paper everything is open but the long lists of locks. */
  var closed = [];
  window.addEventListener('beforeprint', function () {
    closed = Array.prototype.slice.call(document.querySelectorAll('details:not([open]):not(.locks)'));
    closed.forEach(function (details) { details.open = true; });
  });
  window.addEventListener('afterprint', function () { closed.forEach(function (details) { details.open = false; }); });

  if (result.kind !== 'lab_run') { return; }

  function ink(name) { return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim(); }

  function number(value, digits) {
    if (value === null || !isFinite(value)) { return '–'; }
    return value.toLocaleString('en-US', { maximumSignificantDigits: digits || 3 }).replace('-', '−');
  }

  /* One unit for times that stand beside each other; the largest has three digits. */
  function scaleOf(micros) {
    var scale = micros >= 1e6 ? { unit: 's', size: 1e6 } : micros >= 1e3 ? { unit: 'ms', size: 1e3 } : { unit: 'µs', size: 1 };
    scale.decimals = micros > 0 ? Math.max(0, 2 - Math.floor(Math.log10(micros / scale.size))) : 0;
    return scale;
  }

  function time(micros, scale) {
    var value = micros / scale.size;
    var least = Math.pow(10, -scale.decimals);
    if (value !== 0 && Math.abs(value) < least / 2) { return '<' + least.toFixed(scale.decimals); }
    return value.toLocaleString('en-US', { minimumFractionDigits: scale.decimals, maximumFractionDigits: scale.decimals }).replace('-', '−');
  }

  function ownTime(micros) {
    var scale = scaleOf(micros);
    return time(micros, scale) + ' ' + scale.unit;
  }

  function changeOf(micros, scale) {
    var shown = time(micros, scale);
    return shown.charAt(0) === '<' ? '≈0' : (micros > 0 ? '+' : '') + shown;
  }

  /* On a phone the type and the name of a wait event stand under each other. */
  function inLines(name, width) { return width < NARROW ? name.replace(/:(?=\S)/, ':\n') : name; }

  var ruler = document.createElement('canvas').getContext('2d');

  /* Room that the longest of these names needs beside a chart, a third of the width at most. */
  function roomFor(list, width) {
    ruler.font = '12px ' + ink('sans');
    var longest = Math.max.apply(null, list.map(function (name) {
      return Math.max.apply(null, inLines(name, width).split('\n').map(function (line) { return ruler.measureText(line).width; }));
    }));
    return Math.ceil(Math.min(longest + 4, width * 0.4));
  }

  function unitOf(unit) { return unit === 'us' ? 'µs' : unit; }

  function axis(name, width) {
    return {
      type: 'value', name: name, nameLocation: 'middle', nameGap: 30, min: 0,
      nameTextStyle: { color: ink('soft'), fontSize: 12 },
      axisLabel: { color: ink('soft'), hideOverlap: true, formatter: function (value) { return number(value); } },
      splitLine: { lineStyle: { color: ink('rule') } }, splitNumber: width < NARROW ? 2 : 4
    };
  }

  function names(list, width) {
    return {
      type: 'category', inverse: true, data: list, axisTick: { show: false }, axisLine: { show: false },
      axisLabel: { color: ink('ink'), fontSize: 12, width: roomFor(list, width), overflow: 'break', interval: 0,
        formatter: function (name) { return inLines(name, width); } }
    };
  }

  function base(list, width) {
    return {
      animation: false, textStyle: { fontFamily: ink('sans') },
      grid: { left: roomFor(list, width) + 12, right: 64, top: 8, bottom: 52 },
      tooltip: {
        renderMode: 'richText', confine: true, backgroundColor: ink('paper'), borderColor: ink('rule'),
        textStyle: { color: ink('ink'), fontSize: 12 }
      }
    };
  }

  function draw(id, rows, option) {
    var element = document.getElementById(id);
    if (!element) { return; }
    if (!rows) { element.style.display = 'none'; return; }
    element.style.height = (rows * ROW_HEIGHT + 56) + 'px';
    var chart = echarts.init(element, null, { renderer: 'svg' });
    var paint = function () { chart.setOption(option(element.clientWidth), true); };
    paint();
    charts.push({ chart: chart, paint: paint });
  }

  function metric(variant, name) {
    return variant.metrics.filter(function (one) { return one.name === name; })[0];
  }

  function throughput() {
    var measured = result.variants.filter(function (variant) { return variant.metrics.length > 0; });
    if (!measured.length) { draw('throughput', 0); return; }
    var first = measured[0].metrics[0];
    var label = first.name === 'transactions_per_second' ? 'transactions per second' : first.name.replace(/_/g, ' ') + ', ' + unitOf(first.unit);
    var list = result.variants.map(function (variant) { return variant.name; });
    var points = result.trials.filter(function (trial) { return !trial.failure && typeof trial.values[first.name] === 'number'; })
      .map(function (trial) { return { value: [trial.values[first.name], list.indexOf(trial.variant)], round: trial.round, order: trial.order }; });
    var intervals = [];
    result.variants.forEach(function (variant, row) {
      var one = metric(variant, first.name);
      if (one && one.median !== null) {
        intervals.push({ value: [one.low === null ? one.median : one.low, row, one.median, one.high === null ? one.median : one.high], level: one.level, trials: one.trials });
      }
    });
    draw('throughput', list.length, function (width) {
      var option = base(list, width);
      option.xAxis = axis(label, width);
      option.yAxis = names(list, width);
      option.series = [
        { type: 'custom', encode: { x: [0, 2, 3], y: 1 }, data: intervals, renderItem: whisker, z: 3,
          tooltip: { formatter: function (item) {
            var v = item.data.value;
            return list[v[1]] + '\nmedian ' + number(v[2], 4) + ' [' + number(v[0], 4) + '–' + number(v[3], 4) + ']\nlevel ' +
              number(item.data.level * 100, 3) + ' %, ' + item.data.trials + ' trials';
          } } },
        { type: 'scatter', data: points, symbolSize: 6, symbolOffset: [0, 14], z: 2, itemStyle: { color: ink('soft'), opacity: 0.6 },
          tooltip: { formatter: function (item) {
            return list[item.data.value[1]] + '\n' + number(item.data.value[0], 4) + ' in trial ' + item.data.order + ', round ' + item.data.round;
          } } }
      ];
      return option;
    });
  }

  function whisker(params, api) {
    var low = api.coord([api.value(0), api.value(1)]);
    var middle = api.coord([api.value(2), api.value(1)]);
    var high = api.coord([api.value(3), api.value(1)]);
    var y = middle[1];
    function line(x1, y1, x2, y2, width) {
      return { type: 'line', shape: { x1: x1, y1: y1, x2: x2, y2: y2 }, style: { stroke: ink('ink'), lineWidth: width } };
    }
    return { type: 'group', children: [
      line(low[0], y, high[0], y, 1.5), line(low[0], y - 5, low[0], y + 5, 1.5), line(high[0], y - 5, high[0], y + 5, 1.5),
      line(middle[0], y - 10, middle[0], y + 10, 3),
      { type: 'text', style: { text: number(api.value(2)), x: high[0] + 9, y: y, fill: ink('ink'), verticalAlign: 'middle', font: '600 12px ' + ink('sans') } }
    ] };
  }

  /* The wait events worth a colour of their own; the others are joined. */
  function eventsOfAll() {
    var largest = {};
    result.variants.forEach(function (variant) {
      variant.waits.forEach(function (slice) {
        if (slice.wait_event !== OUTSIDE && slice.share >= NAMED_SHARE_MIN) {
          largest[slice.wait_event] = Math.max(largest[slice.wait_event] || 0, slice.micros_per_transaction);
        }
      });
    });
    return Object.keys(largest).sort(function (a, b) {
      return (b === 'CPU') - (a === 'CPU') || largest[b] - largest[a];
    }).slice(0, EVENTS_MAX);
  }

  function times() {
    var sampled = result.variants.filter(function (variant) { return variant.waits.length > 0; });
    if (!sampled.length) { draw('time', 0); return; }
    var events = eventsOfAll();
    var joined = 'other waits';
    var all = events.concat([joined, OUTSIDE]);
    var table = {};
    all.forEach(function (event) { table[event] = sampled.map(function () { return 0; }); });
    sampled.forEach(function (variant, row) {
      variant.waits.forEach(function (slice) {
        var event = slice.wait_event === OUTSIDE || events.indexOf(slice.wait_event) >= 0 ? slice.wait_event : joined;
        table[event][row] += slice.micros_per_transaction || 0;
      });
    });
    all = all.filter(function (event) { return table[event].some(function (value) { return value > 0; }); });
    var totals = sampled.map(function (variant, row) {
      return all.reduce(function (sum, event) { return sum + table[event][row]; }, 0);
    });
    var largest = Math.max.apply(null, totals);
    var scale = scaleOf(largest);
    var list = sampled.map(function (variant) { return variant.name; });
    legend(all);
    draw('time', list.length, function (width) {
      var option = base(list, width);
      option.xAxis = axis('time, ' + scale.unit, width);
      option.yAxis = names(list, width);
      option.series = all.map(function (event) {
        return {
          name: event, type: 'bar', stack: 'time', barWidth: 24, itemStyle: { color: colours.of(event) },
          data: table[event].map(function (value, row) {
            return { value: value / scale.size, label: { show: value / largest * (width - roomFor(list, width) - 100) > 38, color: '#fff', fontWeight: 600, fontSize: 11,
              formatter: Math.round(100 * value / totals[row]) + ' %' } };
          }),
          tooltip: { formatter: function (item) {
            return item.name + '\n' + event + ' ' + time(item.value * scale.size, scale) + ' ' + scale.unit + ' of ' + time(totals[item.dataIndex], scale) + ' ' + scale.unit;
          } }
        };
      }).concat([{
        name: 'total', type: 'bar', stack: 'time', silent: true, barWidth: 24, data: totals.map(function () { return 0; }),
        label: { show: true, position: 'right', color: ink('ink'), fontWeight: 600, fontSize: 12,
          formatter: function (item) { return ownTime(totals[item.dataIndex]); } }
      }]);
      return option;
    });
  }

  function legend(events) {
    var box = document.getElementById('time-legend');
    events.forEach(function (event) {
      var entry = document.createElement('span');
      var swatch = document.createElement('i');
      swatch.className = 'swatch';
      swatch.style.background = colours.of(event);
      entry.appendChild(swatch);
      entry.appendChild(document.createTextNode(event === OUTSIDE ? OUTSIDE + ' (the rest)' : event));
      box.appendChild(entry);
    });
  }

  function change(pair, index) {
    var changes = pair.time_changes.slice();
    if (!changes.length) { draw('change-' + index, 0); return; }
    if (changes.length > CHANGES_MAX) {
      var rest = changes.splice(CHANGES_MAX - 1);
      changes.push(rest.reduce(function (sum, one) {
        return { wait_event: sum.wait_event, baseline_micros: sum.baseline_micros + one.baseline_micros, candidate_micros: sum.candidate_micros + one.candidate_micros,
          change_micros: sum.change_micros + one.change_micros };
      }, { wait_event: rest.length + ' others', baseline_micros: 0, candidate_micros: 0, change_micros: 0 }));
    }
    var before = changes.reduce(function (sum, one) { return sum + one.baseline_micros; }, 0);
    var after = changes.reduce(function (sum, one) { return sum + one.candidate_micros; }, 0);
    var scale = scaleOf(Math.max(before, after));
    var rows = [{ name: pair.baseline, from: 0, to: before, whole: true }];
    var at = before;
    changes.forEach(function (one) {
      rows.push({ name: one.wait_event, from: at, to: at + one.change_micros, by: one.change_micros });
      at += one.change_micros;
    });
    rows.push({ name: pair.candidate, from: 0, to: after, whole: true });
    var labels = rows.map(function (row) { return row.name; });
    draw('change-' + index, rows.length * 0.72, function (width) {
      var option = base(labels, width);
      option.xAxis = axis('time, ' + scale.unit, width);
      option.yAxis = names(labels, width);
      option.series = [
        { type: 'bar', stack: 'step', silent: true, itemStyle: { color: 'transparent' }, barWidth: 18,
          data: rows.map(function (row) { return Math.max(0, Math.min(row.from, row.to)) / scale.size; }) },
        { type: 'bar', stack: 'step', barWidth: 18,
          data: rows.map(function (row) {
            return { value: Math.abs(row.to - row.from) / scale.size,
              itemStyle: { color: row.whole ? '#9a9b98' : colours.of(row.name) } };
          }),
          label: { show: true, position: 'right', color: ink('ink'), fontSize: 12, formatter: function (item) {
            var row = rows[item.dataIndex];
            return row.whole ? time(row.to, scale) + ' ' + scale.unit : changeOf(row.by, scale);
          } },
          tooltip: { formatter: function (item) {
            var row = rows[item.dataIndex];
            return row.name + '\n' + (row.whole ? time(row.to, scale) : changeOf(row.by, scale)) + ' ' + scale.unit;
          } } }
      ];
      return option;
    });
  }

  function repaint() {
    charts.forEach(function (one) { one.chart.resize(); one.paint(); });
  }

  throughput();
  times();
  result.comparisons.forEach(change);
  window.addEventListener('resize', repaint);
  ['(prefers-color-scheme: dark)', 'print'].forEach(function (query) {
    var media = window.matchMedia(query);
    if (media.addEventListener) { media.addEventListener('change', repaint); }
  });
  document.documentElement.setAttribute('data-charts', String(charts.length));
})();
