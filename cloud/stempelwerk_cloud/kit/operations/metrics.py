"""Metrics for an operator's Prometheus. No tenant, person or device is ever a label.

`serve --metrics-port` serves the registry on a port of its own; nothing of it is reachable through the web API.
"""

import math
import socket
import socketserver
import threading
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, make_wsgi_app


class Metrics:
    """The metrics of one application, in a registry of their own, so that two applications in one process do not
    collide.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "stempelwerk_requests_total",
            "Answered requests by method, route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "stempelwerk_request_seconds", "Time to the first byte of an answer.", registry=self.registry
        )
        self.stamps = Counter(
            "stempelwerk_stamps_total", "Stamps received, by outcome.", ["outcome"], registry=self.registry
        )
        self.stamp_lag_seconds = Histogram(
            "stempelwerk_stamp_lag_seconds",
            "From the true time of a stamp to its receipt.",
            buckets=(1, 2, 5, 15, 60, 300, 3600, 6 * 3600, 86400, 7 * 86400),
            registry=self.registry,
        )
        self.held_stamps = Gauge(
            "stempelwerk_held_stamps", "Stamps that wait for an administrator.", registry=self.registry
        )
        self.online_clocks = Gauge(
            "stempelwerk_online_clocks", "Clocks heard in the last 90 s.", registry=self.registry
        )
        self.silent_clocks = Gauge(
            "stempelwerk_silent_clocks",
            "Companies' clocks heard within a week, but not in the last 90 s.",
            registry=self.registry,
        )
        self.open_alarms = Gauge(
            "stempelwerk_open_alarms", "Open alarms of clocks that nobody has acknowledged.", registry=self.registry
        )
        self.stopped_rollouts = Gauge(
            "stempelwerk_stopped_rollouts",
            "Stopped rollouts that nobody has followed up.",
            registry=self.registry,
        )
        self.outbox_waiting = Gauge(
            "stempelwerk_outbox_waiting", "Mails and notices that wait to be sent.", registry=self.registry
        )
        self.outbox_failed = Gauge(
            "stempelwerk_outbox_failed", "Mails and notices given up in the last 30 days.", registry=self.registry
        )
        self.faults = Gauge(
            "stempelwerk_faults", "What is wrong with the installation; /api/health names it.", registry=self.registry
        )
        self.update_days_left = Gauge(
            "stempelwerk_update_days_left",
            "Days until the first signature of updates that people make expires.",
            registry=self.registry,
        )
        self.update_service_days_left = Gauge(
            "stempelwerk_update_service_days_left",
            "Days until the first signature of updates that the service makes expires.",
            registry=self.registry,
        )
        for figure in (self.update_days_left, self.update_service_days_left):
            figure.set(math.nan)  # until it is measured, and without a repository
        self.streams = Gauge("stempelwerk_event_streams", "Open event streams.", registry=self.registry)


class MetricsServer:
    """A thread that serves the metrics over HTTP on a listening socket, which it closes when it stops."""

    def __init__(self, metrics: Metrics, listener: socket.socket) -> None:
        self._server = _Server(listener)
        self._server.set_app(make_wsgi_app(metrics.registry))
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self.port = int(self._server.server_address[1])

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()[:2]
        super().__init__((host, port), _Quiet, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_name, self.server_port = host, port
        self.setup_environ()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name is the base class's
        """Logs nothing: requests of Prometheus are too frequent for the log."""
