package dev.assay.lab.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;

/**
 * A small service with a pool of connections, as a program: {@code POST /orders/N} writes a row, {@code GET /fail} answers 500, {@code GET /die}
 * ends it, {@code GET /ready} tells that it is there. {@code POOL} is the number of connections.
 */
public final class Shop {

    private final BlockingQueue<Connection> pool;

    private Shop(int size) throws SQLException {
        pool = new ArrayBlockingQueue<>(size);
        for (int i = 0; i < size; i++) {
            pool.add(DriverManager.getConnection(System.getenv("JDBC_DATABASE_URL")));
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("refuse")) {
            System.err.println("the shop is shut today");
            System.exit(9);
        }
        Shop shop = new Shop(Integer.parseInt(System.getenv().getOrDefault("POOL", "2")));
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(System.getenv("PORT"))), 100);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", shop::answer);
        if (arguments.length > 0 && arguments[0].equals("deaf")) {
            System.out.println("I hear nothing");
        } else {
            server.start();
        }
        Thread.currentThread().join();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            if (path.startsWith("/orders/")) {
                order(Integer.parseInt(path.substring("/orders/".length())), new String(body, StandardCharsets.UTF_8));
                reply(exchange, 201, "done");
            } else if (path.equals("/fail")) {
                reply(exchange, 500, "no such goods\nat all");
            } else if (path.equals("/die")) {
                System.out.println("killed by a visitor");
                Runtime.getRuntime().halt(3);
            } else {
                reply(exchange, 200, "ready");
            }
        } catch (SQLException | InterruptedException e) {
            reply(exchange, 503, e.toString());
        }
    }

    private void order(int user, String what) throws SQLException, InterruptedException {
        Connection connection = pool.take();
        try (PreparedStatement insert = connection.prepareStatement("insert into orders (who, what) values (?, ?)")) {
            insert.setInt(1, user);
            insert.setString(2, what);
            insert.executeUpdate();
        } finally {
            pool.add(connection);
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
